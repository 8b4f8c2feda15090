#!/usr/bin/env bash

cd "$(dirname "$0")" || exit 1
RECIPE=conf/serving.yaml
python3 tools/set_parallel.py "$RECIPE" --tp "$TP" --ep "$EP" || exit 1
sbatch jobs/serving.sbatch "$RECIPE" || exit 1
