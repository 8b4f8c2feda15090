#!/usr/bin/env bash
set -eu

restore() {
    docker rm -f arm >/dev/null 2>&1 || true
    systemctl start chat
}
trap restore EXIT INT TERM

systemctl stop chat
docker run --rm --name arm --gpus all "$IMAGE" calibrate --out /out/arm &
wait "$!"
test -s out/arm/scales.json
