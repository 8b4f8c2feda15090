#!/bin/bash
set -eu

NAME=quantize-$$
cleanup() {
    rm -rf "$SCRATCH"
}
SCRATCH=$(mktemp -d)
trap cleanup EXIT INT TERM

docker run --rm --name "$NAME" --gpus all -v "$SCRATCH:/scratch" "$IMAGE" \
    quantize --model "$MODEL" --out /scratch/model &
wait $!
test -s "$SCRATCH/model/index.json"
mv "$SCRATCH/model" "$OUT"
