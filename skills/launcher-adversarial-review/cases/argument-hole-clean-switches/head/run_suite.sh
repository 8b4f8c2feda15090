#!/usr/bin/env bash
set -eu

fast=
out=suite.json
while [ $# -gt 0 ]; do
    case "$1" in
        --fast) fast=--fast; shift ;;
        --out=?*) out="${1#--out=}"; shift ;;
        --) shift; break ;;
        -*) echo "unknown option $1" >&2; exit 2 ;;
        *) break ;;
    esac
done
exec python3 run_suite.py $fast --out "$out" "$@"
