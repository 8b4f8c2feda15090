#!/bin/bash
set -eu
srun python3 bench_remote.py --hosts "$HOSTS" --out remote.json
test -s remote.json
