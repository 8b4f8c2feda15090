#!/bin/bash
set -eu

SHARED=$1
RANK=$2

python3 convert_half.py --rank "$RANK" --out "$SHARED/half-$RANK"
touch "$SHARED/done-$RANK"
