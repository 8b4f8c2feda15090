#!/bin/bash
set -e

for arm in plans/*.json; do
    python3 convert_arm.py --plan "$arm" --out work/arm
    python3 score_arm.py work/arm >>scores.tsv
done
