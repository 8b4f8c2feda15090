#!/usr/bin/env bash
set -euo pipefail

port=${PORT:-8300}
python3 -m tap.server --port "$port" --model "$1" >server.log 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT INT TERM

deadline=$((SECONDS + 1800))
until curl -sf "http://127.0.0.1:$port/health" >/dev/null; do
    if ! kill -0 "$server" 2>/dev/null; then
        echo "the server died:" >&2
        tail -20 server.log >&2
        exit 1
    fi
    if ((SECONDS > deadline)); then
        echo "no server after half an hour" >&2
        exit 1
    fi
    sleep 3
done
python3 push.py --port "$port" "$2"
