#!/bin/bash
set -eu

python3 quantize_model.py --in "$MODEL_DIR" --out "$OUT_DIR" --scheme w4a16
test -s "$OUT_DIR/model.safetensors"

# --- shipping
command -v zstd >/dev/null || { echo "zstd is missing" >&2; exit 1; }
tar -cf "$OUT_DIR.tar" -C "$OUT_DIR" .
zstd -T0 "$OUT_DIR.tar"
