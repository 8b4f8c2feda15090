#!/usr/bin/env bash
set -euo pipefail

scratch=$(mktemp -d)
cleanup() {
    rm -rf "$scratch"
}
trap cleanup EXIT INT TERM

docker run -d --name bench-server --gpus all -p 8000:8000 "$IMAGE" serve --model "$MODEL"
./wait_healthy.sh http://localhost:8000 900
python3 bench_client.py --url http://localhost:8000 --out "$scratch/raw.json"
test -s "$scratch/raw.json"
mv "$scratch/raw.json" results.json
