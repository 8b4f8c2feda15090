#!/usr/bin/env bash
set -euo pipefail

if [ -z "${HF_HOME:-}" ]; then
    echo "warning: HF_HOME is not set, the model goes to the home folder" >&2
fi
if [ "${VERBOSE:-0}" = 1 ]; then
    echo "warning: verbose logs take a gigabyte" >&2
fi
python3 calibrate.py --corpus "$1" --out "$2"
test -s "$2"
