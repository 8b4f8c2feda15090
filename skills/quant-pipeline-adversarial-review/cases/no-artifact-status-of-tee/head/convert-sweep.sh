#!/bin/bash
set -e

mkdir -p logs
for arm in plans/*.json; do
    python3 convert_arm.py --plan "$arm" --out work/arm 2>&1 | tee "logs/$(basename "$arm").log"
    python3 score_arm.py work/arm >>scores.tsv
done
