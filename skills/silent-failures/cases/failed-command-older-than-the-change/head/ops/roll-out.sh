#!/bin/bash
# Usage: roll-out.sh VERSION
export VERSION=$1
OUT_FILE=/srv/deploy/shop.yaml

echo "rolling out $VERSION"
j2 templates/shop.yaml.j2 > "$OUT_FILE"
kubectl -n shop apply -f "$OUT_FILE"
