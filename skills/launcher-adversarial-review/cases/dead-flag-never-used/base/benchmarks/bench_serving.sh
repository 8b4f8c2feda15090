#!/usr/bin/env bash
set -euo pipefail

url=${1:?url}
python3 bench_serving.py --url "$url" --num-prompts 200 --out results.json
