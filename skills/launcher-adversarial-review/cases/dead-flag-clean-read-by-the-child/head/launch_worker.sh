#!/bin/bash
set -eu
export ENGINE_ATTENTION=${ENGINE_ATTENTION:-flash}
export NCCL_NVLS_ENABLE=0
OMP_NUM_THREADS=4 exec python3 -m engine.worker --rank "$1"
