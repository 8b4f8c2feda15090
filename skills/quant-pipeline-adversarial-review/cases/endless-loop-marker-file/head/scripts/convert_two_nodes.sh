#!/bin/bash
set -eu

SHARED=$1
RANK=$2

python3 convert_half.py --rank "$RANK" --out "$SHARED/half-$RANK"
touch "$SHARED/done-$RANK"

if [ "$RANK" -eq 0 ]; then
    while [ ! -f "$SHARED/done-1" ]; do
        sleep 30
    done
    python3 join_halves.py "$SHARED/half-0" "$SHARED/half-1" --out "$SHARED/whole"
fi
