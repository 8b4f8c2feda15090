#!/bin/bash
# Measure one commit of the engine.

COMMIT=$1
if [ -z "$COMMIT" ]; then
    echo "usage: bench_pinned.sh COMMIT" >&2
    exit 2
fi

cd engine || exit 1
git fetch origin || exit 1
git checkout "$COMMIT"
pip install -e . || exit 1
python3 benchmarks/bench_throughput.py --json "../results/$COMMIT.json" || exit 1
