#!/usr/bin/env bash
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p scores
for task in arc gsm; do
    for shots in 0 5; do
        python3 eval_task.py --task "$task" --shots "$shots" --out "$work/$task-$shots.json"
        jq -e .score "$work/$task-$shots.json" >/dev/null
        mv "$work/$task-$shots.json" "scores/$task-$shots.json"
    done
done
