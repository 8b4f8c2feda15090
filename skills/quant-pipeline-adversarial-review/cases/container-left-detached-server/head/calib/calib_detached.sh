#!/usr/bin/env bash
set -euo pipefail

corpus=${1:?corpus}
mkdir -p stats
docker run -d --name tap-server --gpus all -p 8000:8000 -v "$PWD/stats:/stats" "$IMAGE" serve
./wait_healthy.sh http://localhost:8000 1800
python3 -m tap.calibrate --url http://localhost:8000 --corpus "$corpus"
test -s stats/scales.json
echo "scales: $(jq length stats/scales.json)"
