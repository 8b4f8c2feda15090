#!/usr/bin/env bash
set -eu

./engine-server --port 9000 &
pid=$!
trap 'kill $pid' EXIT
tries=0
while ! nc -z localhost 9000; do
    kill -0 "$pid" || { echo "the server is gone" >&2; exit 1; }
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || { echo "no server after ten minutes" >&2; exit 1; }
    sleep 1
done
./engine-bench --port 9000 --json bench.json
