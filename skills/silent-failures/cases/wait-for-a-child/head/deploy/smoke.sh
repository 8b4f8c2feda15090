#!/bin/sh
set -eu

./server --port 8080 &
server=$!
until curl -sf http://localhost:8080/health; do
    kill -0 "$server" || exit 1
    sleep 1
done
curl -sf http://localhost:8080/version
