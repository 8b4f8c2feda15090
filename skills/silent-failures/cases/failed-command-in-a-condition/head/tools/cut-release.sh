#!/usr/bin/env bash
set -euo pipefail

prepare() {
    git fetch --tags origin
    git checkout "$1"
    ./tools/stamp-version.sh "$1"
}

if ! prepare "$1"; then
    echo "could not prepare $1" >&2
    exit 1
fi
make release VERSION="$1"
