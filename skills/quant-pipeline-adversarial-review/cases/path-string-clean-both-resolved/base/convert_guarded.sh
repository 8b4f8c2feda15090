#!/bin/bash
set -eu
SRC_DIR=$1
OUT_DIR=$2
if [ "$OUT_DIR" = "$SRC_DIR" ]; then exit 1; fi
rm -rf "$OUT_DIR"
python3 convert_checkpoint.py --in "$SRC_DIR" --out "$OUT_DIR"
