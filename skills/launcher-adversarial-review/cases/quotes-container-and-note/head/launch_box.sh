#!/usr/bin/env bash
set -euo pipefail
docker run --rm -e TOKEN "$IMAGE" sh -c 'cd "$HOME" && test -n "$TOKEN" && ls -A'
printf 'Run `launch_box.sh` again with `IMAGE=%s`.\n' "$IMAGE" >>notes.md
