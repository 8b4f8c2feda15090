#!/usr/bin/env bash

python3 merge_checkpoint.py "$BASE" "$ADAPTER" --out "$MERGED" || exit 1
