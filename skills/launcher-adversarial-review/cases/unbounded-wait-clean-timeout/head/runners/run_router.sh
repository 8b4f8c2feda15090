#!/usr/bin/env bash
set -euo pipefail

docker compose -f router.yaml up -d
trap 'docker compose -f router.yaml down' EXIT
timeout 900 bash -c 'until curl -sf localhost:9100/health; do sleep 3; done'
python3 bench_router.py --url http://localhost:9100 --out router.json
test -s router.json
