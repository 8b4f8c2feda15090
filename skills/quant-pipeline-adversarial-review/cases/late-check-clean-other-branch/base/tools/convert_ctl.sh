#!/usr/bin/env bash
set -eu

case "${1:-}" in
    convert)
        python3 convert_checkpoint.py --in "$SRC" --out "$DST"
        test -s "$DST/config.json"
        ;;
    *)
        echo "usage: convert_ctl.sh convert" >&2
        exit 2
        ;;
esac
