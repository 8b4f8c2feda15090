#!/bin/sh
set -u

cd "$MEGATRAIN" || exit 1
git apply "$OVERLAY/moe.patch"
grep -c experts conf/model.yaml
exec torchrun --nproc-per-node 8 pretrain.py --config conf/model.yaml
