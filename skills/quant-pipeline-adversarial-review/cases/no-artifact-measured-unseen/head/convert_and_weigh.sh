#!/usr/bin/env bash
set -euo pipefail

plan=${1:?plan}
OUT_FILE=work/model.gguf
params=$2

python3 convert_to_gguf.py --plan "$plan" --outfile "$OUT_FILE"
bpw=$(( $(stat -c %s "$OUT_FILE") * 8 / params ))
printf '%s\t%s\n' "$plan" "$bpw" >>weights.tsv
