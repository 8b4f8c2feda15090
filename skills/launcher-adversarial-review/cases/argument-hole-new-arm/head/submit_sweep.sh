#!/usr/bin/env bash
set -euo pipefail

while [[ $# -gt 0 ]]; do
    case "$1" in
        --nodes)
            [[ $# -ge 2 ]] || { echo "--nodes needs a number" >&2; exit 2; }
            nodes="$2"; shift 2 ;;
        --partition)
            [[ $# -ge 2 ]] || { echo "--partition needs a name" >&2; exit 2; }
            partition="$2"; shift 2 ;;
        --time) limit="$2"; shift 2 ;;
        *) echo "unknown option $1" >&2; exit 2 ;;
    esac
done
sbatch --nodes "${nodes:-1}" --partition "${partition:-short}" --time "${limit:-60}" jobs/sweep.sbatch
