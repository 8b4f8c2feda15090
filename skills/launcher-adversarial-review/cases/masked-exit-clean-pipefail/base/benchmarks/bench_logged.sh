#!/usr/bin/env bash
set -eu
python3 bench_engine.py --out "$1"
