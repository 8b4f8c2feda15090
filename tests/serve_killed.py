"""`reviewbot serve` whose reviews are killed behind each step that does something, before that is written
down, and begun again at once: serve_killed.py MARKS ARGUMENT…

Each life is a fork, since imports take seconds. The file MARKS gets the names of the steps that killed.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

from reviewbot import cli
from reviewbot.hosts.companion import Principal
from reviewbot.jobs import durable
from reviewbot.jobs.engine import JSON
from reviewbot.wiring import working

OFTEN = ("read", "sending")  # one of these is as good as another


def main(marks: str, *argv: str) -> int:
    if "--companion" not in argv:
        return cli.run(list(argv))
    durable.ATTEMPTS = 1_000  # a job that ends its worker each time is given up: not what is tried here
    import anthropic  # noqa: F401

    while True:
        if (child := os.fork()) == 0:
            working.Durable = Deadly  # type: ignore[misc]
            Deadly.marks = marks
            Deadly.spared = int(os.path.exists(marks))
            if Deadly.spared:  # the server begins the first life alone
                Principal.wait = lambda _: None  # type: ignore[method-assign]
            os._exit(cli.run(list(argv)))
        signal.signal(signal.SIGTERM, lambda number, frame, child=child: os.kill(child, number))
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            return os.WEXITSTATUS(status)


class Deadly(durable.Durable):
    """The step that ended the life before is done in this one; the next one ends it."""

    marks = ""
    spared = 0

    def _stepped(self, name: str, call: Callable[[], JSON]) -> str:
        done = super()._stepped(name, call)
        if Deadly.spared:
            Deadly.spared -= 1
            return done
        with open(self.marks, "a+", encoding="ascii") as file:
            file.seek(0)
            if name in OFTEN and name in file.read().split():
                return done
            file.write(f"{name}\n")
        os.kill(os.getpid(), signal.SIGKILL)
        return done


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
