#!/usr/bin/env bash
set -euo pipefail

prepare() {
    cp "configs/$TASK.yaml" eval.yaml
    echo "prepared $TASK"
}

if ! prepare; then
    echo "no configuration for $TASK" >&2
    exit 1
fi
python3 eval_model.py --config eval.yaml --out "scores/$TASK.json"
