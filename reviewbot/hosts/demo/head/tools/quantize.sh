#!/usr/bin/env bash
# Quantizes one checkpoint on a calibration set and converts the result.
set -euo pipefail

BITS=8
SCALE=1.0
while [ "$#" -gt 0 ]; do
    case "$1" in
        --model) MODEL="$2"; shift 2 ;;
        --calibration) CALIBRATION="$2"; shift 2 ;;
        --bits) BITS="$2"; shift 2 ;;
        --scale) SCALE="$2"; shift 2 ;;
        --output) OUTPUT="$2"; shift 2 ;;
        *) echo "unknown argument: $1" >&2; exit 2 ;;
    esac
done

llm-quantize --model "${MODEL:?}" --data "${CALIBRATION:?}" --bits "$BITS" --output "${OUTPUT:?}.pt"
python3 "$(dirname "$0")/convert_checkpoint.py" "$OUTPUT.pt" "$OUTPUT.engine" "$SCALE"
