#!/bin/sh
set -eu

find "$1" -name '*.txt' -exec sh -c 'for f; do iconv -f utf-8 -t utf-8 "$f" >"$f.ok" || rm -f "$f.ok"; done' sh {} +
trap 'rm -f "$list"' EXIT
list=$(mktemp)
find "$1" -name '*.ok' >"$list"
wc -l <"$list"
