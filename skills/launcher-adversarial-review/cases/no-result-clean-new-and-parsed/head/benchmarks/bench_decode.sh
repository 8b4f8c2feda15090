#!/bin/bash
rm -f decode.json
python3 bench_decode.py --output decode.json || exit 1
if ! jq -e '.tokens_per_second > 0' decode.json >/dev/null; then
    echo "decode.json holds no rate" >&2
    exit 1
fi
echo "done: decode.json"
