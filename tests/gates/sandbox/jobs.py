"""Jobs for the tests of the sandbox, and a look at what they leave behind."""

from __future__ import annotations

import os
import time

from reviewbot.gates.sandbox import Ended, Entry, Job, Limits, Sandbox, interpreter, lay_out

PYTHON, BINDS, _ = interpreter()


def files(**texts: str) -> list[Entry]:
    """Programs of a tree, by their names without an ending."""
    return [Entry(name.encode(), 0o100755, text.encode()) for name, text in texts.items()]


def ran(
    *argv: str, entries: list[Entry] | None = None, timeout: float = 30, limits: Limits | None = None
) -> Ended:
    """How a job ended that has a sandbox and a tree of its own."""
    with lay_out(entries or []) as tree:
        return Sandbox().run(Job(argv, tree, timeout, limits or Limits(), binds=BINDS))


def shell(script: str, **how: object) -> Ended:
    return ran("bash", "-c", script, **how)  # type: ignore[arg-type]


def python(program: str, *argv: str, **how: object) -> Ended:
    return ran(PYTHON, "-I", "-S", "-c", program, *argv, **how)  # type: ignore[arg-type]


def survivors(mark: str, within: float = 0.1) -> set[int]:
    """Processes of this machine, the sandboxes' included, that have a mark in their command line
    when so many seconds are over, or at the first look that finds none."""
    end = time.monotonic() + within
    while (found := _marked(mark.encode())) and time.monotonic() < end:
        continue
    return found


def _marked(mark: bytes) -> set[int]:
    found = set()
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and int(name) != os.getpid():
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    if mark in file.read():
                        found.add(int(name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found
