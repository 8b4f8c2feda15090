#!/usr/bin/env bash
set -eo pipefail

mkdir -p logs
make lint 2>&1 | tee logs/lint.txt
pytest -q tests 2>&1 | tee logs/pytest.txt
docker build -t app:ci . 2>&1 | tail -n 30
