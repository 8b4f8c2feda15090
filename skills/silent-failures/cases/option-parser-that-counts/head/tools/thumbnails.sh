#!/bin/bash
set -eu

need_value() {
    [ "$2" -ge 2 ] || { echo "$1 needs a value" >&2; exit 2; }
}

size=256 quality=85
while [ $# -gt 0 ]; do
    case "$1" in
        --size) need_value "$1" "$#"; size="$2"; shift 2 ;;
        --quality)
            [ "$#" -ge 2 ] || { echo "--quality needs a value" >&2; exit 2; }
            quality="$2"
            shift 2
            ;;
        --out) out="${2:?--out needs a folder}"; shift 2 ;;
        *) break ;;
    esac
done
mkdir -p "${out:=thumbs}"
mogrify -path "$out" -resize "${size}x" -quality "$quality" "$@"
