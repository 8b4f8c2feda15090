#!/bin/bash
set -e
while [ $# -gt 0 ]; do
    case "$1" in
        --image) image="$2"; shift 2 ;;
        *) echo "unknown option: $1" >&2; exit 2 ;;
    esac
done
sbatch jobs/chat.sbatch "${image:-chat:1}"
