#!/bin/bash
set -e
IMAGE=${IMAGE:-tap:3}
docker run --rm --gpus all -v "$PWD:/run" "$IMAGE" calibrate "$@"
