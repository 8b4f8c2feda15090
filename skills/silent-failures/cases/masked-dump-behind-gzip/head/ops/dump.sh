#!/bin/bash

archive=/backup/shop-$(date +%F).sql.gz
mysqldump --single-transaction shop | gzip > "$archive" || exit 1
find /backup -name 'shop-*.sql.gz' -mtime +14 -delete
