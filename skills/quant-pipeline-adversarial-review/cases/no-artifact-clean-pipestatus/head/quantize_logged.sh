#!/bin/bash

log=$OUT_DIR/quantize.log
mkdir -p "$OUT_DIR" || exit 1
python3 quantize_model.py --model "$MODEL" --out "$OUT_DIR" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if [ "$status" -ne 0 ]; then
    echo "quantize_model.py ended with $status, see $log" >&2
    exit "$status"
fi
if [ ! -s "$OUT_DIR/model.safetensors" ]; then
    echo "nothing was written" >&2
    exit 1
fi
du -sh "$OUT_DIR"
