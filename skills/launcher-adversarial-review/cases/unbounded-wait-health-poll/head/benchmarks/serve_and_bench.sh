#!/usr/bin/env bash
set -euo pipefail

PORT=${PORT:-8000}
URL=http://localhost:$PORT
python3 -m engine.server --model "$MODEL" --port "$PORT" >server.log 2>&1 &
SERVER_PID=$!
trap 'kill "$SERVER_PID" 2>/dev/null' EXIT

echo "waiting for the server"
until curl -sf "$URL/health" >/dev/null; do
    sleep 5
done

python3 bench_client.py --url "$URL" --out results.json
test -s results.json
