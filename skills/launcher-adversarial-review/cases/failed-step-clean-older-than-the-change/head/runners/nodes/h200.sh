#!/bin/bash

cp overlays/h200.yaml recipe.yaml
export ENGINE_MAX_BATCH=512
srun --gres=gpu:8 ./serve_and_bench.sh recipe.yaml || exit 1
