#!/bin/bash
set -u

docker compose up -d gateway || exit 1
for ((i = 0; i < 120; i++)); do
    if curl -sf http://localhost:8080/ready; then
        echo "ready after $((i * 5)) seconds"
        break
    fi
    sleep 5
done
python3 bench_gateway.py --port 8080 --out gateway.json || exit 1
