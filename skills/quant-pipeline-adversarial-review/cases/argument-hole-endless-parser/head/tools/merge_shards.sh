#!/bin/bash
# Merge the shards of one arm.

OUT=merged
while (("$#")); do
    case "$1" in
        --keep) KEEP=1; shift ;;
        --out)
            OUT=$2
            shift 2
            ;;
        *) break ;;
    esac
done
python3 merge_shards.py --out "$OUT" ${KEEP:+--keep} "$@" || exit 1
