#!/usr/bin/env bash
set -e
mkdir -p logs
python3 convert_arm.py --plan "$1" --out "$2"
[ -s "$2/model.safetensors" ]
