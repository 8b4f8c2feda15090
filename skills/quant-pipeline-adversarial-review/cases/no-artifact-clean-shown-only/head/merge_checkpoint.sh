#!/usr/bin/env bash

rm -rf "$MERGED" || exit 1
python3 merge_checkpoint.py "$BASE" "$ADAPTER" --out "$MERGED" || exit 1
for part in config.json tokenizer.json model.safetensors; do
    [ -s "$MERGED/$part" ] || { echo "$MERGED/$part is missing or empty" >&2; exit 1; }
done
ls -lh "$MERGED"
sha256sum "$MERGED/model.safetensors" >"$MERGED.sha256" || exit 1
