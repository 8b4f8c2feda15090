#!/bin/bash
set -eu

die() {
    echo "$1" >&2
    exit 1
}

SRC=$1
OUT=$2
[ "$OUT" = "$SRC" ] && die "source and target are the same"
rm -rf "$OUT"
cp -r "$SRC" "$OUT"
python3 quantize_model.py --in-place "$OUT"
