#!/usr/bin/env bash
set -euo pipefail

ssh "$1" 'cat "$HOME"/corpus/*.jsonl' >corpus.jsonl
awk -F'\t' '{ total += $2 } END { print total }' counts.tsv
