#!/bin/bash
set -e
IMAGE=${IMAGE:-tap:3}
exec docker run --rm --name calib --gpus all -v "$PWD:/run" "$IMAGE" calibrate "$@"
