#!/bin/sh
set -eu

dtype=${DTYPE:-bfloat16}
python3 evaluate.py --model "$MODEL" --dtype "$dtype" --out scores.json
