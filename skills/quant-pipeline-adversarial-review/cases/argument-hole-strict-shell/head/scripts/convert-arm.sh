#!/usr/bin/env bash
set -euo pipefail

RATIO=0.5
GROUP=128
PLAN=
while [[ $# -gt 0 ]]; do
    case "$1" in
        --plan) PLAN="$2"; shift 2 ;;
        --ratio) RATIO="$2"; shift 2 ;;
        --group) GROUP="$2"; shift 2 ;;
        -h | --help) echo "usage: convert-arm.sh --plan FILE [--ratio R] [--group N]"; exit 0 ;;
        *) echo "unknown option $1" >&2; exit 2 ;;
    esac
done
[[ -s "$PLAN" ]] || { echo "--plan needs a file" >&2; exit 2; }

python3 -m quantlab.convert --plan "$PLAN" --ratio "$RATIO" --group-size "$GROUP"
