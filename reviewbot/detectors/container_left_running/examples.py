"""What container-left-running reports and what it leaves alone: its documentation and its tests."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        why="The script restores production beside a container that still holds the cards.",
        lines=(8,),
        code="""\
#!/bin/bash
C=calibrate-$$
restore() {
    systemctl start inference
}
trap restore EXIT
systemctl stop inference
podman run --rm --name "$C" --device nvidia.com/gpu=all "$IMAGE" \\
    python3 /srv/calibrate.py
""",
    ),
    Example(
        why="Nothing at all is done at the end.",
        lines=(2,),
        code="""\
set -e
docker run --rm --network=host --name=bench-server --runtime=nvidia --gpus=all "$IMAGE" serve &
until curl -sf localhost:8000/health; do sleep 1; done
python3 bench.py
""",
    ),
    Example(
        why="The options stand in an array, the engine in a variable.",
        lines=(8,),
        code="""\
ENGINE=podman
ARGS=(--rm --name "$NAME" --gpus all)
cleanup() {
    rm -rf "$WORK"
}
trap cleanup EXIT INT TERM

$ENGINE run "${ARGS[@]}" "$IMAGE" ./train.sh
""",
    ),
    Example(
        why="A detached container, and a handler that forgets it.",
        lines=(5,),
        code="""\
cleanup() {
    echo "done" >> "$LOG"
}
trap cleanup EXIT
docker run -d --name server --gpus all "$IMAGE"
python3 bench.py
""",
    ),
    Example(
        why="A hint: a server for one benchmark, and no line ends it.",
        lines=(2,),
        code="""\
set -e
docker run -d --name server --gpus all "$IMAGE"
./wait_ready.sh
python3 bench.py
""",
    ),
    Example(
        why="A hint: the container is stopped in the end, and at line 3 it is not.",
        lines=(1,),
        code="""\
docker run --rm -d --name="$SERVER" --gpus=all "$IMAGE" serve
if ! ./wait_ready.sh; then
    exit 1
fi
./bench.sh
docker stop "$SERVER"
""",
    ),
    Example(
        why="A hint: no GPU in sight, and a library may remove it.",
        lines=(3,),
        code="""\
source ./lib.sh
trap 'rm -f "$TMP_FILE"' EXIT
docker run --rm --name worker "$IMAGE" make test
python3 report.py
""",
    ),
)

GOOD = (
    Example(
        why="Removed by name at the end, whatever the end is.",
        code="""\
C=calibrate-$$
restore() {
    podman rm -f "$C"
    systemctl start inference
}
trap restore EXIT
podman run --rm --name "$C" --gpus all "$IMAGE" ./calibrate.sh
""",
    ),
    Example(
        why="In the trap itself.",
        code="""\
trap 'docker stop "$NAME" >/dev/null 2>&1 || true' EXIT
docker run --rm --name "$NAME" --gpus all "$IMAGE" &
wait $!
""",
    ),
    Example(
        why="A tool that runs once and holds nothing.",
        code="""\
docker run --rm --name lint -v "$PWD:/src" "$IMAGE" make lint
docker run --rm "$IMAGE" --version
""",
    ),
    Example(
        why="Somebody sits in front of it.",
        code="""\
docker run -it --rm --name dev --gpus all "$IMAGE" bash
""",
    ),
    Example(
        why="A service that is started, and meant to stay.",
        code="""\
docker run -d --name inference --restart unless-stopped --gpus all "$IMAGE"
docker run -d --name metrics --gpus all "$IMAGE"
""",
    ),
    Example(
        why="The client takes the place of the script: signals reach it.",
        code="""\
exec docker run --rm --name server --gpus all "$IMAGE" serve
""",
    ),
    Example(
        why="An old one is removed before the start, and at the end.",
        code="""\
docker rm -f server 2>/dev/null || true
docker run -d --name server --gpus all "$IMAGE"
./wait_ready.sh || exit 1
./bench.sh
docker rm -f server
""",
    ),
)
