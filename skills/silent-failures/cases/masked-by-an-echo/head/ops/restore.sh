#!/bin/sh

pg_restore --clean --dbname="$DATABASE" "$1"
echo "pg_restore has ended"
if [ $? -ne 0 ]; then
    echo "restore failed" >&2
    exit 1
fi
./notify.sh "restored $1"
