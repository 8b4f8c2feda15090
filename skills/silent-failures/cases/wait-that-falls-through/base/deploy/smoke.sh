#!/bin/sh
set -eu

./server --port 8080 &
sleep 30
curl -sf http://localhost:8080/version
