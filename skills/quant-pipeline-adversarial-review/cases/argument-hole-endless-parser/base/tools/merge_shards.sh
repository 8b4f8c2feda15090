#!/bin/bash
# Merge the shards of one arm.

OUT=merged
while (("$#")); do
    case "$1" in
        --keep) KEEP=1; shift ;;
        *) break ;;
    esac
done
python3 merge_shards.py --out "$OUT" ${KEEP:+--keep} "$@" || exit 1
