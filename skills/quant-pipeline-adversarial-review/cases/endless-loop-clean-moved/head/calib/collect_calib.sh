#!/usr/bin/env bash
set -eu

ROUNDS=${ROUNDS:-4}
CORPUS=${CORPUS:-corpus.jsonl}

until curl -sf "$URL/health" >/dev/null; do
    sleep 10
done

python3 push.py --url "$URL" --rounds "$ROUNDS" "$CORPUS"
