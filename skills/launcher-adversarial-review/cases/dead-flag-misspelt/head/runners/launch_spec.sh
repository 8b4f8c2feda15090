#!/usr/bin/env bash
set -euo pipefail

for len in 0 4; do
    export SPEC_LEN=$len
    export LABEL=spec-$len
    sbatch --wait --export=ALL jobs/spec.sbatch
done
