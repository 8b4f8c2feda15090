#!/usr/bin/env bash
set -euo pipefail

for host in "$@"; do
    ssh "$host" 'df --output=pcent "$HOME" | tail -n 1'
    ssh "$host" 'for log in /var/log/*.gz; do echo "$log"; done | wc -l'
done
docker exec shop-db sh -c 'pg_dump "$POSTGRES_DB"' > shop.sql
printf '%s\n' 'export PATH="$HOME/bin:$PATH"' >> "$HOME/.profile"
awk '{ sum += $2 } END { print sum }' usage.txt
