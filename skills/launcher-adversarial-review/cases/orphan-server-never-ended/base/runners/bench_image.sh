#!/usr/bin/env bash
set -euo pipefail

image=${1:?image}
docker image inspect "$image" >/dev/null
