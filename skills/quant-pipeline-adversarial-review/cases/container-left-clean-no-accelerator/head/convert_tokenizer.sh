#!/usr/bin/env bash
set -euo pipefail

src=$(realpath "$1")
out=$2
mkdir -p "$out"

docker run --rm --name convert-tokenizer --network none -v "$src:/src:ro" "$IMAGE" \
    convert-tokenizer /src/tokenizer.model >"$out/tokenizer.json"
python3 -m json.tool "$out/tokenizer.json" >/dev/null
