#!/bin/bash
export VERSION=$1
OUT_FILE=/srv/deploy/shop.yaml

j2 templates/shop.yaml.j2 > "$OUT_FILE"
kubectl -n shop apply -f "$OUT_FILE"
