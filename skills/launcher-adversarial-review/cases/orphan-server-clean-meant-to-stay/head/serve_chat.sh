#!/bin/sh
set -eu
docker run -d --name chat --restart unless-stopped --gpus all -p 8000:8000 "$IMAGE"
echo "chat starts; see: docker logs -f chat"
