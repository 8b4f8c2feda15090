#!/bin/bash
set -eu

command -v zstd >/dev/null || { echo "zstd is missing" >&2; exit 1; }

python3 quantize_model.py --in "$MODEL_DIR" --out "$OUT_DIR" --scheme w4a16
test -s "$OUT_DIR/model.safetensors"

tar -C "$OUT_DIR" -cf - . | zstd -T0 -o "$OUT_DIR.tar.zst"
