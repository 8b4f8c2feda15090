#!/bin/bash
set -eu
[ -n "${WANDB_PROJECT:-}" ] || { echo "WANDB_PROJECT is not set" >&2; exit 1; }
[ -r "conf/$1.yaml" ] || { echo "no conf/$1.yaml" >&2; exit 1; }
sbatch --wait jobs/rl.sbatch "$1"
python3 report.py "$1" --project "$WANDB_PROJECT"
