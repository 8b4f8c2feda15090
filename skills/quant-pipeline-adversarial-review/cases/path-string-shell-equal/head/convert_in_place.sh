#!/usr/bin/env bash
set -euo pipefail

SRC_DIR=$1
OUT_DIR=$2
if [ "$OUT_DIR" = "$SRC_DIR" ]; then
    echo "would overwrite the source" >&2
    exit 1
fi
rm -rf "$OUT_DIR"
mkdir -p "$OUT_DIR"
python3 convert_checkpoint.py --in "$SRC_DIR" --out "$OUT_DIR"
test -s "$OUT_DIR/config.json"
