#!/bin/sh
set -eu

mkdir -p /srv/app
chmod -R 777 /srv/app
