#!/usr/bin/env bash
set -euo pipefail

image=${1:?image}
docker image inspect "$image" >/dev/null
docker run -d --name bench-image --gpus all --network host "$image" serve --port 8500
./wait_healthy.sh http://localhost:8500 1200
python3 benchmarks/bench_client.py --port 8500 --out image.json
test -s image.json
