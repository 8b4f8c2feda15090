#!/usr/bin/env bash
set -eu

reference=
candidate=
while [ $# -gt 0 ]; do
    case "$1" in
        --reference) reference="${2:?--reference needs a folder}"; shift 2 ;;
        --candidate) candidate="${2:?--candidate needs a folder}"; shift 2 ;;
        --chunks=*) chunks="${1#*=}"; shift ;;
        *) echo "unknown: $1" >&2; exit 2 ;;
    esac
done
python3 kld.py "$reference" "$candidate" --chunks "${chunks:-64}"
