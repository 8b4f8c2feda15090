#!/bin/bash
set -euo pipefail

month=$1
PDF=/srv/reports/$month.pdf
docker run --rm -v /srv/reports:/srv/reports reports:stable --month "$month" --output "$PDF"
pg_dump --dbname="$DATABASE_URL" --file="/backup/$month.sql"
echo "report saved: $PDF"
