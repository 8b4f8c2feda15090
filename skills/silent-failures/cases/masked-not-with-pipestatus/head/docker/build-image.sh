#!/usr/bin/env bash

docker build -t "importer:$1" . 2>&1 | tail -n 30
status=${PIPESTATUS[0]}
if [ "$status" -ne 0 ]; then
    echo "the build failed with $status" >&2
    exit "$status"
fi
