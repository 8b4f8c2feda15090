#!/usr/bin/env bash

OUT=answers/$ARM.jsonl
python3 eval_answers.py --arm "$ARM" --output "$OUT"
rc=$?
if [ "$rc" -eq 0 ]; then
    rows=$(wc -l <"$OUT")
    printf '%s\t%s\n' "$ARM" "$rows" >>answers/rows.tsv
fi
exit "$rc"
