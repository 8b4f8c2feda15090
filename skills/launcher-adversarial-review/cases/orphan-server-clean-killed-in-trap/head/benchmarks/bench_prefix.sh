#!/usr/bin/env bash
set -euo pipefail
if nc -z localhost 8200; then
    echo "port 8200 is taken" >&2
    exit 1
fi
python3 -m engine.server --port 8200 &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null || true' EXIT
./wait_healthy.sh 8200
python3 bench_prefix.py --port 8200 --out prefix.json
