#!/usr/bin/env bash
set -euo pipefail

extra=()
if [ -n "${WARMUP:-}" ]; then
    extra+=(--warmup "$WARMUP")
fi
if [ "${IGNORE_EOS:-0}" = 1 ]; then
    extra+=(--ignore-eos)
fi
for rate in 1 2 4 8; do
    python3 bench_rate.py --rate "$rate" "${extra[@]}" --out "results/rate-$rate.json"
    test -s "results/rate-$rate.json"
done
