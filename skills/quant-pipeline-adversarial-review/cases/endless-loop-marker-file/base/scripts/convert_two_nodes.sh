#!/bin/bash
set -eu

COMMON=$1
RANK=$2

python3 convert_half.py --rank "$RANK" --out "$COMMON/half-$RANK"
touch "$COMMON/done-$RANK"
