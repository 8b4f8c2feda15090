#!/bin/bash
set -eu
sbatch --wait jobs/rl.sbatch "$1"
[ -n "${WANDB_PROJECT:-}" ] || exit 1
python3 report.py "$1" --project "$WANDB_PROJECT"
