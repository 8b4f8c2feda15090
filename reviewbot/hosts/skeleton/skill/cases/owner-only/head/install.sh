#!/bin/sh
set -eu

mkdir -p /srv/app
chmod -R u+rwX,go-w /srv/app
echo "rights are set; chmod 777 was never needed"
