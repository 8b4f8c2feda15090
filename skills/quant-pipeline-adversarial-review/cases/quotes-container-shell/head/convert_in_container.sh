#!/usr/bin/env bash
set -euo pipefail

docker run --rm -e CALIB=/data/calib.jsonl -v "$PWD/data:/data" "$IMAGE" \
    bash -c 'set -eu; test -s "$CALIB"; convert --calib "$CALIB" --out "/data/$HOSTNAME"'
ls data
