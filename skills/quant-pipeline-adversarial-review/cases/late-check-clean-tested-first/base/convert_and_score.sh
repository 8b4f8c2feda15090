#!/usr/bin/env bash
set -euo pipefail

python3 convert_arm.py --plan "$PLAN" --out "$ARM_DIR"
test -s "$ARM_DIR/model.safetensors"
: "${REFERENCE_LOGITS:?set it to the logits of the source model}"
[ -w "$REPORT_DIR" ] || exit 1
python3 kld.py --reference "$REFERENCE_LOGITS" --model "$ARM_DIR" >"$REPORT_DIR/kld.txt"
