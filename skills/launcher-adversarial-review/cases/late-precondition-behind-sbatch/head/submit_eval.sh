#!/usr/bin/env bash
set -euo pipefail

sbatch --wait jobs/eval.sbatch "$MODEL"

[ -d "$BASELINE_DIR" ] || { echo "no baseline at $BASELINE_DIR" >&2; exit 1; }
command -v jq >/dev/null || { echo "jq is missing" >&2; exit 1; }
jq -e .score scores.json
diff <(jq -S . "$BASELINE_DIR/scores.json") <(jq -S . scores.json)
