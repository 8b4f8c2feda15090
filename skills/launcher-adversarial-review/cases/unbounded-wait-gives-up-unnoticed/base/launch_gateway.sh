#!/bin/bash
set -u

docker compose up -d gateway || exit 1
./wait-ready.sh 8080 || exit 1
python3 bench_gateway.py --port 8080 --out gateway.json || exit 1
