#!/bin/bash

size=256
while [ $# -gt 0 ]; do
    case "$1" in
        --force) force=1; shift ;;
        --size) size="$2"; shift 2 ;;
        -*) echo "unknown option: $1" >&2; exit 2 ;;
        *) break ;;
    esac
done
for image in "$@"; do
    [ -n "$force" ] || [ ! -e "thumbs/$image" ] || continue
    convert "$image" -resize "${size}x" "thumbs/$image" || exit 1
done
