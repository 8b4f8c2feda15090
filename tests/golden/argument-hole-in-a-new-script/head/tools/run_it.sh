#!/bin/bash
set -eu
while [ $# -gt 0 ]; do
    case "$1" in
        --model) MODEL="$2"; shift 2 ;;
        *) exit 2 ;;
    esac
done
exec run-it "$MODEL"
