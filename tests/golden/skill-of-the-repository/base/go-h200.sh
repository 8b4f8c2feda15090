#!/usr/bin/env bash
set -x
CONFIG="$1"
mkdir -p results || exit 1
sbatch --export="ALL,CONFIG=$CONFIG" bench.sbatch || exit 1
