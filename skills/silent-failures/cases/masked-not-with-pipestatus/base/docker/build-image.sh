#!/usr/bin/env bash

docker build -t "importer:$1" . 2>&1 | tail -n 30
if [ $? -ne 0 ]; then
    exit 1
fi
