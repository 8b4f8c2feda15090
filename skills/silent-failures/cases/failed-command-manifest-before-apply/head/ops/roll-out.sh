#!/bin/bash

if [ -z "$1" ]; then
    echo "usage: $0 VERSION" >&2
    exit 2
fi
export VERSION=$1
OUT_FILE=/srv/deploy/shop.yaml

j2 templates/shop.yaml.j2 > "$OUT_FILE"
kubectl -n shop apply -f "$OUT_FILE"
kubectl -n shop rollout status deployment/shop --timeout=5m
