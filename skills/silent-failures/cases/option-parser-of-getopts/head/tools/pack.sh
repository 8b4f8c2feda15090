#!/usr/bin/env bash
set -u

parsed=$(getopt -o o:v --long out:,verbose -n pack.sh -- "$@") || exit 2
eval set -- "$parsed"
out=dist verbose=0
while true; do
    case "$1" in
        -o | --out) out="$2"; shift 2 ;;
        -v | --verbose) verbose=1; shift ;;
        --) shift; break ;;
    esac
done
[ "$verbose" = 0 ] || set -x
mkdir -p "$out" || exit 1
tar -czf "$out/site.tar.gz" "$@" || exit 1
