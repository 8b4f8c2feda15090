#!/bin/bash
set -euo pipefail

mkdir -p results
for model in small large; do
    python3 bench_model.py --model "$model" --dtype bfloat16 --out "results/$model.json"
    test -s "results/$model.json"
done
