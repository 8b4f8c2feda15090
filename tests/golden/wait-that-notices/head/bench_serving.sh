#!/bin/bash
set -euo pipefail
serve --port 8000 &
SERVER_PID=$!
until curl -sf localhost:8000/health; do
    kill -0 "$SERVER_PID" || exit 1
    sleep 5
done
measure --port 8000
