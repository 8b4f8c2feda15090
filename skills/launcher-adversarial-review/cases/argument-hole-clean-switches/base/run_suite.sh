#!/usr/bin/env bash
set -eu
exec python3 run_suite.py "$@"
