#!/usr/bin/env bash
set -euo pipefail

TP=${TP:-8}
gpus=$(nvidia-smi -L | wc -l)
use=$TP
if [ "$gpus" -lt "$TP" ]; then
    use=$gpus
fi
python3 bench_engine.py --model "$MODEL" --tensor-parallel "$use" --out raw.json
test -s raw.json
mv raw.json "results/$(basename "$MODEL")-tp$TP.json"
