#!/bin/bash
set -eu

stop() {
    rm -f requests.jsonl
}
trap stop EXIT INT TERM
docker run --rm --name eval-server --gpus '"device=0,1"' "$IMAGE" serve &
./wait_healthy.sh 8000
python3 make_requests.py >requests.jsonl
python3 eval_client.py --port 8000 requests.jsonl
