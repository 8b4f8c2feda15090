#!/bin/bash

OUT=/backup/shop-$(date +%F).dump

rm -f "$OUT"
pg_dump --format=custom --dbname="$DATABASE_URL" --file="$OUT" || exit 1
[ -s "$OUT" ] || { echo "no backup was written" >&2; exit 1; }
echo "backup complete: $OUT"

docker run --rm -v /backup:/backup checker:stable --output /backup/check.txt && echo "check saved"
