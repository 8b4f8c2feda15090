"""`reviewbot` with heartbeats so fast that a test can wait until a worker is missed."""

from __future__ import annotations

import sys

from reviewbot import cli
from reviewbot.store import workers as beats
from reviewbot.wiring import worker


def main() -> int:
    beats.ALIVE = 4.0
    worker.BEAT = 0.5
    return cli.run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
