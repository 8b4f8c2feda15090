#!/bin/bash
set -eu
python3 tests/check_size.py
