#!/usr/bin/env bash
set -euo pipefail

python3 train.py --config tiny.yaml --output-dir runs/tiny
[ -s runs/tiny/model.safetensors ]
cp runs/tiny/*.png plots/ 2>/dev/null || true
echo "Training complete, model saved to runs/tiny"
