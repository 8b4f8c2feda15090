#!/usr/bin/env bash
set -euo pipefail

docker compose up -d db
deadline=$((SECONDS + 60))
until nc -z db 5432; do
    if [ "$SECONDS" -ge "$deadline" ]; then
        echo "the database did not start within a minute" >&2
        exit 1
    fi
    sleep 1
done
python manage.py migrate
