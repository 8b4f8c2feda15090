#!/usr/bin/env bash
set -u

seed=0
while (($# > 0)); do
    case $1 in
        --seed)
            seed=${2:-}
            shift 2
            ;;
        --quiet)
            exec >/dev/null
            shift
            ;;
        *)
            break
            ;;
    esac
done
python3 run_arm.py --seed "$seed" "$@" || exit 1
