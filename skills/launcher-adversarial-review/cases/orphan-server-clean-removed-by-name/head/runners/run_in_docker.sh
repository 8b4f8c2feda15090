#!/usr/bin/env bash
set -euo pipefail

name=run-${SLURM_JOB_ID:-$$}
remove() {
    docker rm -f "$name" >/dev/null 2>&1 || true
}
remove
trap remove EXIT INT TERM

docker run -d --name "$name" --gpus all --network host "$IMAGE" serve --port 8400
./wait_healthy.sh http://localhost:8400 1200
python3 run_client.py --port 8400 --out client.json
test -s client.json
