"""What the jobs of these tests do. Each writes down what happens, and some of them kill their process, once
at each place."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reviewbot.jobs.engine import JSON, Engine, Work


def note(folder: Path, *words: object) -> None:
    with open(folder / "notes", "a", encoding="utf-8") as file:
        file.write(" ".join(map(str, words)) + "\n")


def dies(folder: Path, place: str) -> None:
    """Kill this process, if it is here for the first time."""
    mark = folder / f"died-{place}"
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def killed_everywhere(folder: Path) -> Work:
    """In the middle of each step, and behind each."""

    def work(job: Mapping[str, Any], engine: Engine) -> JSON:
        had = []
        for n in range(job["steps"]):

            def call(n: int = n) -> JSON:
                note(folder, "begun", n)
                dies(folder, f"in-{n}")
                note(folder, "ended", n)
                return {"n": n, "pid": os.getpid(), "text": "\udce9\0\U0001f600"}

            had.append(engine.step(f"step {n}", call))
            dies(folder, f"behind-{n}")
        note(folder, "had", *(row["n"] for row in had), len({row["pid"] for row in had}))  # type: ignore[index,call-overload]
        return None

    return work
