#!/usr/bin/env bash
# Renders the site and puts it on the web host.

cd "$(dirname "$0")/.." || exit 1
git checkout "$TAG" || { echo "no tag $TAG" >&2; exit 1; }
if ! cp "legal/$COUNTRY/imprint.html" build/site/imprint.html; then
    exit 1
fi
python3 tools/sitemap.py --out build/site/sitemap.xml
status=$?
[ "$status" -eq 0 ] || exit "$status"
make html && rsync -az --delete build/site/ "deploy@$WEB_HOST:/srv/www/"
