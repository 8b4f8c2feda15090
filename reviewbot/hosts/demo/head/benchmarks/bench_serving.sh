#!/usr/bin/env bash
# Serves the model of a recipe and measures it. Runs inside the allocation.
set -euo pipefail

CONFIG_PATH="$1"
PORT="${PORT:-8000}"

vllm serve --config "$CONFIG_PATH" --port "$PORT" > "$RESULTS/server.log" 2>&1 &
SERVER_PID=$!
trap 'kill "$SERVER_PID"' EXIT

until curl --silent --fail "http://localhost:$PORT/health" > /dev/null; do
    sleep 5
done
for concurrency in 1 8 64; do
    vllm bench serve --port "$PORT" --max-concurrency "$concurrency" \
        --save-result --result-filename "$RESULTS/concurrency_$concurrency.json"
done
