#!/usr/bin/env bash
set -euo pipefail

docker compose up -d db
until nc -z db 5432; do
    sleep 1
done
python manage.py migrate
