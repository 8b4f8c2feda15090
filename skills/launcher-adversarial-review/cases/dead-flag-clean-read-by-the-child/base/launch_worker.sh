#!/bin/bash
set -eu
exec python3 -m engine.worker --rank "$1"
