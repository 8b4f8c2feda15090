#!/usr/bin/env bash
set -euo pipefail

need() {
    if [ "$1" -lt 2 ]; then
        echo "$2 needs a value" >&2
        exit 2
    fi
}

while [ $# -gt 0 ]; do
    case "$1" in
        --model) need $# "$1"; MODEL="$2"; shift 2 ;;
        --scales) need $# "$1"; SCALES="$2"; shift 2 ;;
        *) echo "unknown option: $1" >&2; exit 2 ;;
    esac
done
python3 quantize_kv.py --model "$MODEL" --scales "$SCALES"
