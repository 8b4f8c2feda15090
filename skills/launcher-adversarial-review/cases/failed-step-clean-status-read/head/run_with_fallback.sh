#!/usr/bin/env bash
set -euo pipefail

config=$1
set +e
python3 tools/tune.py "$config" --budget 300
status=$?
set -e
case "$status" in
    0) echo "tuned" ;;
    3)
        echo "the budget ran out, going back to the committed configuration"
        git checkout -- "$config"
        ;;
    *) exit "$status" ;;
esac
python3 run_model.py --config "$config"
