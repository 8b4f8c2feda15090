#!/bin/bash
set -euo pipefail
sbatch --wait jobs/eval.sbatch "$1"
test -s "scores/$1.json"
