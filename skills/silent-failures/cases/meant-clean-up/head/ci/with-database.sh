#!/usr/bin/env bash
set -euo pipefail

scratch=$(mktemp -d)
server=

cleanup() {
    kill "$server" 2> /dev/null || true
    wait "$server" 2> /dev/null || true
    rm -rf "$scratch" || true
}
trap cleanup EXIT

rm -f server.log || true
./server --data "$scratch" > server.log 2>&1 &
server=$!
for _ in $(seq 30); do
    ./client ping && break
    kill -0 "$server" || exit 1
    sleep 1
done
./client ping
./client migrate
