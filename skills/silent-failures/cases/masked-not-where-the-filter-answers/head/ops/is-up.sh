#!/bin/sh

if ps -ef | grep -q "[i]mporter --daemon"; then
    echo "up"
    exit 0
fi
version=$(git describe --tags | sed 's/^v//')
echo "importer $version is down" | tee -a /var/log/importer-watch.log
exit 1
