#!/bin/bash
python3 bench_decode.py --output decode.json
echo "done: decode.json"
