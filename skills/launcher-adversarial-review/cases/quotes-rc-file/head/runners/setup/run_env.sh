#!/bin/sh
set -eu

echo 'export PATH="$HOME/.local/bin:$PATH"' >>"$HOME/.profile"
ssh "$WORKER" 'echo "$HOSTNAME has $(nproc) cores"'
trap 'echo "ended with $?"' EXIT
awk '{ print $1 / $2 }' rates.txt
