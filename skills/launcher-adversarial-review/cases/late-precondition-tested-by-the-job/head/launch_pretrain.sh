#!/usr/bin/env bash
set -euo pipefail

DATA_DIR=${1:?data folder}
sbatch --export="ALL,DATA_DIR=$DATA_DIR" jobs/pretrain.sbatch
