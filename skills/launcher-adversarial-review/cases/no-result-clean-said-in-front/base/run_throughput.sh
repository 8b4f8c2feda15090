#!/bin/bash
exec python3 run_throughput.py --output throughput.json
