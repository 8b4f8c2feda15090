#!/bin/bash
set -eu
SRC_DIR=$(realpath "$1")
OUT_DIR=$(realpath -m "$2")
if [ "$OUT_DIR" = "$SRC_DIR" ]; then
    echo "$OUT_DIR is the source" >&2
    exit 1
fi
rm -rf "$OUT_DIR"
python3 convert_checkpoint.py --in "$SRC_DIR" --out "$OUT_DIR"
