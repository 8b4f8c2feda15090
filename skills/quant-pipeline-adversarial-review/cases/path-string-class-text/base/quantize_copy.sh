#!/bin/bash
set -eu

SRC=$1
OUT=$2
cp -r "$SRC" "$OUT"
python3 quantize_model.py --in-place "$OUT"
