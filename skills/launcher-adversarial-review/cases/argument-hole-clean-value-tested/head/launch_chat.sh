#!/bin/bash
set -e
while [ $# -gt 0 ]; do
    case "$1" in
        --image)
            if [ -z "${2:-}" ]; then
                echo "--image needs a name" >&2
                exit 2
            fi
            image="$2"
            shift 2
            ;;
        *) echo "unknown option: $1" >&2; exit 2 ;;
    esac
done
sbatch jobs/chat.sbatch "${image:-chat:1}"
