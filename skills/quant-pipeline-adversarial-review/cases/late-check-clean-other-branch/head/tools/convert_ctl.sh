#!/usr/bin/env bash
set -eu

case "${1:-}" in
    convert)
        python3 convert_checkpoint.py --in "$SRC" --out "$DST"
        test -s "$DST/config.json"
        ;;
    ship)
        [ -n "${SHIP_TOKEN:-}" ] || { echo "SHIP_TOKEN is not set" >&2; exit 1; }
        command -v rclone >/dev/null || { echo "rclone is missing" >&2; exit 1; }
        rclone copy "$DST" "remote:models/$(basename "$DST")"
        ;;
    *)
        echo "usage: convert_ctl.sh convert|ship" >&2
        exit 2
        ;;
esac
