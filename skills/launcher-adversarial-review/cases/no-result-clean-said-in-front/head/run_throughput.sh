#!/bin/bash
echo "Results are written to throughput.json when all batches are done"
python3 run_throughput.py --output throughput.json
status=$?
[ "$status" -ne 0 ] || [ -s throughput.json ] || status=1
exit "$status"
