#!/bin/sh

cd project || exit 1
git checkout "$TAG"
docker run --rm -v "$PWD:/src" "$BUILDER" make release
