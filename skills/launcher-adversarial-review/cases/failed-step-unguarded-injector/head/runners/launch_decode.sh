#!/usr/bin/env bash
set -x

cd "$WORKSPACE" || exit 1
RECIPE_FILE="recipes/${RECIPE:?}.yaml"
[[ -f "$RECIPE_FILE" ]] || { echo "no recipe $RECIPE_FILE" >&2; exit 1; }
make -C tools submit-cli || exit 1

if [[ "${SPECULATE:-false}" == true ]]; then
    python3 tools/add_drafter.py "$RECIPE_FILE" --draft-len "$DRAFT_LEN"
fi

JOB=$(sbatch --parsable jobs/decode.sbatch "$RECIPE_FILE") || exit 1
echo "submitted $JOB"
