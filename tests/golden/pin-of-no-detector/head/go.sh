#!/usr/bin/env bash
set -x
CONFIG="$1"
mkdir -p results || exit 1
python3 tools/inject.py "$CONFIG"
sbatch --export="ALL,CONFIG=$CONFIG" bench.sbatch || exit 1
