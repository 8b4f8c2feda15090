#!/usr/bin/env bash
set -euo pipefail

while [ $# -gt 0 ]; do
    case "$1" in
        --model) MODEL="$2"; shift 2 ;;
        --scales) SCALES="$2"; shift 2 ;;
        *) echo "unknown option: $1" >&2; exit 2 ;;
    esac
done
python3 quantize_kv.py --model "$MODEL" --scales "$SCALES"
