#!/bin/sh
set -eu

cd "$MEGATRAIN"
git apply "$OVERLAY/moe.patch"
grep -c experts conf/model.yaml || true
exec torchrun --nproc-per-node 8 pretrain.py --config conf/model.yaml
