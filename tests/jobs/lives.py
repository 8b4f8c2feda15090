"""A worker that is killed, and started again until its job is done. A program of its own:

lives.py URL FOLDER EXECUTOR WORK [LIVES]

WORK is a function of tests/jobs/works.py. dbos is imported once; each life is a fork of that. A life ends
with 0 when no job is left, and the program with the number of lives.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from reviewbot.jobs.durable import Durable
from tests.jobs import works

JOB = "a" * 32


def live(url: str, folder: str, executor: str, name: str) -> int:
    logging.basicConfig(filename=f"{folder}/log", level=logging.WARNING)
    engine = Durable(getattr(works, name)(Path(folder)), url=url, executor=executor)
    engine.submit({"steps": 3}, id=JOB, partition="p")
    ends = time.monotonic() + 30
    while engine.states([JOB])[JOB] in ("waiting", "running"):
        if time.monotonic() > ends:
            return 9
        time.sleep(0.02)
    (Path(folder) / "state").write_text(engine.states([JOB])[JOB])
    engine.close(5.0)
    return 0


def main(url: str, folder: str, executor: str, name: str, most: str = "20") -> int:
    if name == "eight_questions":
        import anthropic  # noqa: F401  # once for all lives: it takes seconds
    for count in range(1, int(most) + 1):
        if (child := os.fork()) == 0:
            os._exit(live(url, folder, executor, name))
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            print(count)
            return os.waitstatus_to_exitcode(status)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
