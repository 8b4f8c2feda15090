#!/usr/bin/env bash
set -u

out=dist
while [ $# -gt 0 ]; do
    case "$1" in
        --out)
            out="$2"
            shift 2
            ;;
        *)
            echo "unknown option: $1" >&2
            exit 2
            ;;
    esac
done
mkdir -p "$out" || exit 1
tar -czf "$out/site.tar.gz" site || exit 1
