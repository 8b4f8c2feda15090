#!/bin/bash
# Usage: monthly-report.sh YYYY-MM
month=${1:?a month, as 2024-05}
PDF=/srv/reports/$month.pdf
docker run --rm -v /srv/reports:/srv/reports reports:stable --month "$month" --output "$PDF"
echo "report saved: $PDF"
