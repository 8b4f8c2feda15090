#!/usr/bin/env bash
set -euo pipefail

prepare() {
    git fetch --tags origin
    git checkout "$1"
    ./tools/stamp-version.sh "$1"
}

prepare "$1"
make release VERSION="$1"
