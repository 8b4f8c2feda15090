#!/usr/bin/env bash
set -euo pipefail

job_id=$(sbatch --parsable --wait jobs/bench.sbatch "$1")
[ -n "$job_id" ] || exit 1
result=results/$job_id.json
if [ ! -s "$result" ]; then
    echo "job $job_id left no $result" >&2
    exit 1
fi
python3 compare_runs.py "$result"
