#!/usr/bin/env bash

docker build -t "importer:$1" .
if [ $? -ne 0 ]; then
    echo "the build failed" >&2
    exit 1
fi
echo "built importer:$1"
