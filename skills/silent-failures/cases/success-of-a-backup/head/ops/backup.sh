#!/bin/bash

OUT=/backup/shop-$(date +%F).dump

pg_dump --format=custom --dbname="$DATABASE_URL" --file="$OUT"
echo "backup complete: $OUT"
find /backup -name 'shop-*.dump' -mtime +14 -delete
