#!/usr/bin/env bash

cd "$CAMPAIGN" || exit 1
PLAN_FILE=plans/$ARM.yaml
[ -f "$PLAN_FILE" ] || exit 1
mkdir -p "out/$ARM" || exit 1

python3 tools/fill_plan.py "$PLAN_FILE" --ratio "$RATIO" || exit 1
torchrun --nproc-per-node 8 quantize_model.py --plan "$PLAN_FILE" --out "out/$ARM" || exit 1
[ -s "out/$ARM/model.safetensors" ] || exit 1
