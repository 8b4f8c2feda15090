#!/bin/sh
set -eu

./server --port 8080 &
for _ in 1 2 3 4 5 6 7 8 9 10; do
    if curl -sf http://localhost:8080/health; then
        break
    fi
    sleep 3
done
./load-test http://localhost:8080/version
