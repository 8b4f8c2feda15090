#!/bin/bash
set -euo pipefail

mkdir -p results
for model in small large; do
    for dtype in bfloat16 fp8; do
        python3 bench_model.py --model "$model" --dtype "$dtype" --out "results/$model.json"
        test -s "results/$model.json"
    done
done
