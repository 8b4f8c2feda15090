#!/usr/bin/env bash
set -euo pipefail

ssh "$1" 'cd "$HOME/corpus" && cat part-*.jsonl' >corpus.jsonl
awk -F'\t' '$3 != "held-out" { total += $2 } END { print total }' counts.tsv
test -s corpus.jsonl
