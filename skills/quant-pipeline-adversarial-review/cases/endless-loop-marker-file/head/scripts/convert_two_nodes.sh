#!/bin/bash
set -eu

COMMON=$1
RANK=$2

python3 convert_half.py --rank "$RANK" --out "$COMMON/half-$RANK"
touch "$COMMON/done-$RANK"

if [ "$RANK" -eq 0 ]; then
    while [ ! -f "$COMMON/done-1" ]; do
        sleep 30
    done
    python3 join_halves.py "$COMMON/half-0" "$COMMON/half-1" --out "$COMMON/whole"
fi
