#!/usr/bin/env bash
set -euo pipefail

python3 calibrate.py --corpus "$1" --out "$2"
test -s "$2"
