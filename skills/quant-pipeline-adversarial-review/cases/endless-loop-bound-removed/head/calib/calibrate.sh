#!/usr/bin/env bash
set -euo pipefail

model=${1:?model folder}
url=http://127.0.0.1:8411

python3 -m tap.server --model "$model" --port 8411 --sink stats/ &
server=$!
trap 'kill "$server" 2>/dev/null' EXIT

until curl -sf "$url/ready" >/dev/null; do
    sleep 5
done

python3 calib/push.py --url "$url" corpus/calib.jsonl
