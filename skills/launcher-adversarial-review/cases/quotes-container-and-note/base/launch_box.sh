#!/usr/bin/env bash
set -euo pipefail
docker run --rm "$IMAGE" sh -c 'ls "$HOME"'
