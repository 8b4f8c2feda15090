#!/usr/bin/env bash
set -euo pipefail
python3 -m engine.server --port 8200 &
./wait_healthy.sh 8200
python3 bench_prefix.py --port 8200 --out prefix.json
