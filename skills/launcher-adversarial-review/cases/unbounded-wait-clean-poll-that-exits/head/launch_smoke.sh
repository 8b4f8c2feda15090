#!/bin/sh
set -eu

docker compose up -d api
ready=no
for _ in $(seq 1 60); do
    if curl -sf http://localhost:8000/v1/models >/dev/null; then
        ready=yes
        break
    fi
    sleep 5
done
if [ "$ready" = no ]; then
    docker compose logs --tail 50 api >&2
    exit 1
fi
python3 run_smoke.py http://localhost:8000
