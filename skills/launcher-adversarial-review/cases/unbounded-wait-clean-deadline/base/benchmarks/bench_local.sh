#!/usr/bin/env bash
set -eu

./engine-server --port 9000 &
pid=$!
trap 'kill $pid' EXIT
while ! nc -z localhost 9000; do
    sleep 1
done
./engine-bench --port 9000 --json bench.json
