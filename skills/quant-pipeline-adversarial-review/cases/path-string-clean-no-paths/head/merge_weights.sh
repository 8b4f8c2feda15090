#!/usr/bin/env bash
set -euo pipefail

src_format=$1
out_format=$2
OUT_DIR=$3
if [ "$src_format" = "$out_format" ]; then
    echo "nothing to convert between $src_format and $out_format" >&2
    exit 1
fi
if [ "$OUT_DIR" != "$PWD" ]; then
    echo "writing to $OUT_DIR"
fi
python3 merge_weights.py --from "$src_format" --to "$out_format" --out "$OUT_DIR"
test -s "$OUT_DIR/index.json"
