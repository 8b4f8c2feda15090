#!/usr/bin/env bash
# Renders the site and puts it on the web host.

cd "$(dirname "$0")/.." || exit 1
make html || exit 1
cp "legal/$COUNTRY/imprint.html" build/site/imprint.html
rsync -az --delete build/site/ "deploy@$WEB_HOST:/srv/www/"
echo "published $(git rev-parse --short HEAD)"
