#!/bin/bash
set -euo pipefail
serve --port 8000 &
SERVER_PID=$!
trap 'kill "$SERVER_PID"' EXIT
until curl -sf localhost:8000/health; do
    sleep 5
done
measure --port 8000
