#!/usr/bin/env bash
# Submits one serving benchmark to the H200 partition.
set -x

ROOT="$(cd "$(dirname "$0")/.." && pwd)"
FRAMEWORK="${FRAMEWORK:-vllm}"
RESULTS="$ROOT/results/$FRAMEWORK-$(date +%Y%m%d-%H%M%S)"
CONFIG_PATH="$RESULTS/recipe.yaml"

mkdir -p "$RESULTS" || exit 1
cp "$ROOT/recipes/$FRAMEWORK.yaml" "$CONFIG_PATH" || exit 1
git -C "$ROOT/engine" checkout --quiet "${ENGINE_COMMIT:?}" || exit 1

sbatch --wait --partition=h200 --export="ALL,RESULTS=$RESULTS" \
    "$ROOT/benchmarks/bench_serving.sh" "$CONFIG_PATH" || exit 1
python3 "$ROOT/tools/summarise.py" "$RESULTS" || exit 1
