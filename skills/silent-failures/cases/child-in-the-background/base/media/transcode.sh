#!/usr/bin/env bash
set -euo pipefail

for height in 480 720 1080; do
    ffmpeg -nostdin -i "$1" -vf "scale=-2:$height" "out/$height.mp4"
done
./make-playlist.sh out > out/master.m3u8
