#!/usr/bin/env bash
set -eo pipefail
mkdir -p logs
rm -rf "$2"
python3 convert_arm.py --plan "$1" --out "$2" 2>&1 | tee logs/convert.log
[ -s "$2/model.safetensors" ]
echo "converted: $2"
