#!/usr/bin/env bash
set -x
CONFIG="$1"
mkdir -p results || exit 1
echo step 1
echo step 2
echo step 3
echo step 4
echo step 5
echo step 6
echo step 7
echo step 8
python3 tools/inject.py "$CONFIG"
sbatch --export="ALL,CONFIG=$CONFIG" bench.sbatch || exit 1
