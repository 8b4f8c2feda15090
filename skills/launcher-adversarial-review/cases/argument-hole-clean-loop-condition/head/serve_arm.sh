#!/usr/bin/env bash
set -euo pipefail

declare -A option=([port]=8000 [model]="")
while [ $# -ge 2 ]; do
    case "$1" in
        --port) option[port]="$2"; shift 2 ;;
        --model) option[model]="$2"; shift 2 ;;
        *) echo "unknown option: $1" >&2; exit 2 ;;
    esac
done
[ $# -eq 0 ] || { echo "$1 needs a value" >&2; exit 2; }
exec python3 -m engine.server --port "${option[port]}" --model "${option[model]}"
