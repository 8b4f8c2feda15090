#!/usr/bin/env bash
set -eu

restore() {
    systemctl start chat
}
trap restore EXIT

systemctl stop chat
docker run --rm --name arm --gpus all "$IMAGE" calibrate --out /out/arm
test -s out/arm/scales.json
