#!/usr/bin/env bash
set -euo pipefail

MODEL=$1
PUBLISH_DIR=$2
work=$(mktemp -d)

for bits in 3 4 5; do
    python3 convert_arm.py --model "$MODEL" --bits "$bits" --out "$work/q$bits"
    test -s "$work/q$bits/model.safetensors"
done

if [ -e "$PUBLISH_DIR" ]; then
    echo "$PUBLISH_DIR exists already" >&2
    exit 1
fi
mv "$work" "$PUBLISH_DIR"
