#!/usr/bin/env bash

OUT=gen/$ARM.jsonl
python3 run_generation.py --arm "$ARM" --output "$OUT"
rc=$?
if [ "$rc" -eq 0 ]; then
    size=$(stat -c %s "$OUT")
    printf '%s\t%s\n' "$ARM" "$size" >>gen/sizes.tsv
fi
exit "$rc"
