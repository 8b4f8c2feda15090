#!/usr/bin/env bash
set -euo pipefail

: "${REFERENCE_LOGITS:?set it to the logits of the source model}"
[ -w "$REPORT_DIR" ] || { echo "$REPORT_DIR cannot be written" >&2; exit 1; }
[ ! -e "$ARM_DIR" ] || { echo "$ARM_DIR exists already" >&2; exit 1; }

python3 convert_arm.py --plan "$PLAN" --out "$ARM_DIR"
test -s "$ARM_DIR/model.safetensors"
python3 kld.py --reference "$REFERENCE_LOGITS" --model "$ARM_DIR" >"$REPORT_DIR/kld.txt"
