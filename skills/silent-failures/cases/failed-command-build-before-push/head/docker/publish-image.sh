#!/bin/bash

image=registry.example.org/team/importer:$(date +%Y%m%d)

docker build --pull -t "$image" -f docker/Dockerfile .
docker push "$image"
echo "pushed $image"
