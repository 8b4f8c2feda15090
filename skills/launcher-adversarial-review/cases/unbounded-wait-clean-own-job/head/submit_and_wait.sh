#!/bin/bash
set -euo pipefail
job=$(sbatch --parsable jobs/eval.sbatch "$1")
while squeue -h -j "$job" 2>/dev/null | grep -q .; do
    sleep 30
done
state=$(sacct -n -X -j "$job" -o State | tr -d ' ')
[ "$state" = COMPLETED ] || { echo "job $job: $state" >&2; exit 1; }
test -s "scores/$1.json"
