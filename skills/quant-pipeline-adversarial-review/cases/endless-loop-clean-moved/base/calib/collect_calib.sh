#!/usr/bin/env bash
set -eu

until curl -sf "$URL/health" >/dev/null; do
    sleep 10
done

ROUNDS=4
python3 push.py --url "$URL" --rounds "$ROUNDS" corpus.jsonl
