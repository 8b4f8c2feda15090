#!/bin/bash
set -eu
srun --ntasks-per-node=1 hostname
srun --ntasks-per-node=1 nvidia-smi -L
[ -n "${HOSTS:-}" ] || { echo "HOSTS is not set" >&2; exit 1; }
[ -w results ] || { echo "results/ cannot be written" >&2; exit 1; }
srun python3 bench_remote.py --hosts "$HOSTS" --out results/remote.json
test -s results/remote.json
