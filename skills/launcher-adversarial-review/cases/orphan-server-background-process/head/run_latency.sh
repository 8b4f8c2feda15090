#!/usr/bin/env bash
set -euo pipefail

python3 -m engine.server --model "$MODEL" --port 8123 >server.log 2>&1 &
./wait_healthy.sh http://localhost:8123 600
python3 bench_latency.py --url http://localhost:8123 --out latency.json
test -s latency.json
echo "median: $(jq .median latency.json)"
