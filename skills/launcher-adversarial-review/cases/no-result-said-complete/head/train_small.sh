#!/bin/bash

export CUDA_VISIBLE_DEVICES=0,1
OUT=runs/small
torchrun --nproc-per-node 2 train.py --config small.yaml --output-dir "$OUT"
echo "Training complete, model saved to $OUT"
