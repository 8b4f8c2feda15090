#!/usr/bin/env bash
set -euo pipefail

prepare() {
    git fetch --tags origin
    git checkout "$1"
    cp "changes/$1.md" build/NOTES.md
}

[ "$#" -eq 1 ] || { echo "usage: $0 TAG" >&2; exit 2; }
prepare "$1"
make release VERSION="$1"
gh release create "$1" --notes-file build/NOTES.md
