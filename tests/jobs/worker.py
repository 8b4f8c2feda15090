"""A worker in a process of its own: worker.py URL FOLDER EXECUTOR VERSION. Each line of its input is the
id of a job to submit; "" is our VERSION. It ends with its input."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from reviewbot.jobs import database
from reviewbot.jobs.durable import Durable
from tests.jobs import works


def main(url: str, folder: str, executor: str, version: str) -> None:
    database.VERSION = version or database.VERSION
    engine = Durable(works.slow(Path(folder)), url=url, executor=executor)
    print("up", flush=True)
    for line in sys.stdin:
        engine.submit({}, id=line.strip(), partition="p")
    engine.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
