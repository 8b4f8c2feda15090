#!/bin/sh
set -eu

dtype=${DTYPE:-bfloat16}
if [ "${USE_CONTAINER:-no}" = yes ]; then
    docker run --rm --gpus all -v "$PWD:/w" "$IMAGE" \
        python3 evaluate.py --model "$MODEL" --out /w/scores.json
else
    python3 evaluate.py --model "$MODEL" --dtype "$dtype" --out scores.json
fi
