#!/usr/bin/env bash
set -euo pipefail

num_prompts=200
rate=inf
while [ $# -gt 1 ]; do
    case "$1" in
        --num-prompts=*) num_prompts="${1#*=}"; shift ;;
        --rate=*) rate="${1#*=}"; shift ;;
        *) echo "unknown option $1" >&2; exit 2 ;;
    esac
done
url=${1:?url}
echo "$num_prompts prompts at rate $rate"
python3 bench_serving.py --url "$url" --rate "$rate" --num-prompts 200 --out results.json
