#!/usr/bin/env bash
set -euo pipefail

arm=${1:?name of the arm}
image=${TAP_IMAGE:?image of the tap}

restore() {
    systemctl --user start chat-service
}
trap restore EXIT INT TERM

systemctl --user stop chat-service
podman run --rm --name "calib-$arm" --device nvidia.com/gpu=all \
    -v "$PWD/stats:/stats" "$image" \
    tap --corpus /stats/corpus.jsonl --sink "/stats/$arm"
[ -s "stats/$arm/scales.safetensors" ] || { echo "no scales for $arm" >&2; exit 1; }
