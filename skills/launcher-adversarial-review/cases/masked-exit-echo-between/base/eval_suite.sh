#!/bin/sh

python3 eval_suite.py --suite "$1" --out "$1.json"
if [ $? -ne 0 ]; then
    echo "suite $1 failed" >&2
    exit 1
fi
test -s "$1.json" || exit 1
