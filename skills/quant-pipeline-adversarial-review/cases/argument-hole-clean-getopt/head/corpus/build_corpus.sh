#!/usr/bin/env bash
set -eu

parsed=$(getopt -o n:s: --long tokens:,seed: -n build_corpus.sh -- "$@") || exit 2
eval set -- "$parsed"

tokens=2000000
seed=1
while true; do
    case "$1" in
        -n | --tokens) tokens="$2"; shift 2 ;;
        -s | --seed) seed="$2"; shift 2 ;;
        --) shift; break ;;
        *) exit 2 ;;
    esac
done
python3 build_corpus.py --tokens "$tokens" --seed "$seed" "$@"
