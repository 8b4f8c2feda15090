#!/bin/sh

cd project || exit 1
docker run --rm -v "$PWD:/src" "$BUILDER" make release
