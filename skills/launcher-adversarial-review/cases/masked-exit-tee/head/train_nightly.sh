#!/bin/bash
set -e

mkdir -p logs
torchrun --nproc-per-node 8 train.py --config nightly.yaml 2>&1 | tee logs/nightly.log
python3 tools/mark_finished.py nightly
