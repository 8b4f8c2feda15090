#!/usr/bin/env bash
set -euo pipefail

logged() {
    "$@" 2>&1 | tee -a bench.log
}
logged python3 bench_engine.py --out "$1"
test -s "$1"
