#!/usr/bin/env bash
set -euo pipefail

pids=()
for height in 480 720 1080; do
    ffmpeg -nostdin -i "$1" -vf "scale=-2:$height" "out/$height.mp4" &
    pids+=("$!")
done
for pid in "${pids[@]}"; do
    wait "$pid"
done
./make-playlist.sh out > out/master.m3u8
