#!/bin/bash
set -eu

out=${1:?folder for the experts}
python3 quantize_experts.py --model "$MODEL" --out "$out"

if [ ! -s "$out/experts.safetensors" ]; then
    echo "no experts were written" >&2
    exit 1
fi
rows=$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))))' "$out/index.json")
if [ "$rows" -ne 256 ]; then
    echo "$rows experts in the index, not 256" >&2
    exit 1
fi
echo "$out holds $rows experts"
