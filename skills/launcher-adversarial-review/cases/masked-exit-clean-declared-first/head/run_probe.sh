#!/usr/bin/env bash

probe() {
    local out rc
    out=$(python3 probe.py --url "$1")
    rc=$?
    echo "probe of $1 ended with $rc"
    if [ "$rc" -ne 0 ]; then
        return "$rc"
    fi
    local -r lines=$(wc -l <<<"$out")
    echo "$lines lines"
}

probe "$URL" || exit 1
