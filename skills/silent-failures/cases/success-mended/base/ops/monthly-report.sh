#!/bin/bash
month=$1
PDF=/srv/reports/$month.pdf
docker run --rm -v /srv/reports:/srv/reports reports:stable --month "$month" --output "$PDF"
echo "report saved: $PDF"
