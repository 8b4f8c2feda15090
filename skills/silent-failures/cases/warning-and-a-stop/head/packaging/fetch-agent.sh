#!/usr/bin/env bash
set -euo pipefail

version=$1
archive=agent-$version.tar.gz
curl -fsSLO "https://downloads.example.org/agent/$archive"

have=$(sha256sum "$archive" | cut -d' ' -f1)
if [ "$have" != "$2" ]; then
    echo "WARNING: checksum of $archive differs from the published one" >&2
    exit 1
fi
free=$(df --output=avail /opt | tail -n 1)
if [ "$free" -lt 100000 ]; then
    echo "WARNING: little room on /opt" >&2
fi
tar -xzf "$archive" -C /opt
