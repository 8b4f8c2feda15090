#!/bin/bash
set -e

tp=1
model=
while [ "$#" -gt 0 ]; do
    case "$1" in
    --tp)
        tp="$2"
        shift 2
        ;;
    --model)
        model="$2"
        shift 2
        ;;
    *)
        echo "unknown option: $1" >&2
        exit 2
        ;;
    esac
done
exec python3 -m engine.server --model "$model" --tensor-parallel "$tp"
