#!/usr/bin/env bash
set -euo pipefail

shards=$1
want=$2

have=$(find "$shards" -name '*.safetensors' | wc -l)
if [ "$have" -ne "$want" ]; then
    echo "WARNING: expected $want shards, found $have" >&2
fi
python3 quantize_shards.py --shards "$shards" --bits 4 --out "$3"
test -s "$3/model.safetensors"
