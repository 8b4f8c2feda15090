#!/bin/sh
set -u

bits=4
dry=
while [ "$#" -gt 0 ]; do
    case $1 in
    --bits)
        bits=$2
        shift 2
        ;;
    --dry-run)
        dry=--dry-run
        shift
        ;;
    *)
        break
        ;;
    esac
done
exec python3 quantize_blocks.py --bits "$bits" $dry "$@"
