#!/bin/sh
set -eu
exec python3 -m engine.server --port 8000
