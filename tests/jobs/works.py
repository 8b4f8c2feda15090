"""What the jobs of these tests do. Each writes down what happens, and some of them kill their process, once
at each place."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import Any

from reviewbot.core.types import Part
from reviewbot.jobs.engine import JSON, Cancelled, Engine, HandedOver, Taken, Work
from reviewbot.jobs.memo import MemoModel
from reviewbot.llm.anthropic import AnthropicModel
from reviewbot.llm.cassette import Cassette
from reviewbot.llm.parallel import Parallel
from tests.llm.questions import question


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


class Shelf:
    """A Kept in a SQLite file. The process dies when three answers are in it."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, Lock()
        with closing(self._open()) as file, file:
            file.execute("CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, content BLOB)")

    def read(self, name: str) -> bytes | None:
        with closing(self._open()) as file:
            row = file.execute("SELECT content FROM kept WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def write(self, name: str, content: bytes) -> None:
        with self._lock, closing(self._open()) as file:
            with file:
                file.execute("INSERT INTO kept VALUES (?, ?)", (name, content))
            if file.execute("SELECT count(*) FROM kept").fetchone() == (3,):
                dies(self._folder, "amid")

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._folder / "kept.sqlite")


def eight_questions(folder: Path) -> Work:
    """Side by side, in one step. `folder`/provider has the address of the model's provider."""

    def work(job: Mapping[str, Any], engine: Engine) -> JSON:
        address = (folder / "provider").read_text()
        model = Parallel(Cassette(AnthropicModel("anthropic", "key", address), Shelf(folder)))
        asked = [question(data=(Part("change", marked=True), Part(f"question {n}"))) for n in range(8)]
        for answer in MemoModel(model, engine.step).ask(asked):
            note(folder, "answer", answer.payload["summary"] if isinstance(answer.payload, dict) else answer)
        dies(folder, "behind")
        return None

    return work


def until(said: Callable[[], bool], seconds: float = 20.0) -> None:
    ends = time.monotonic() + seconds
    while not said():
        if time.monotonic() > ends:
            raise TimeoutError
        time.sleep(0.02)


def slow(folder: Path) -> Work:
    """Its second step lasts until there is a file `folder`/go."""

    def work(job: Mapping[str, Any], engine: Engine) -> JSON:
        who = f"{engine.job_id()[:2]} {job.get('name', '')}".strip()

        def second() -> JSON:
            note(folder, who, "second begun", os.getpid())
            until((folder / "go").exists)
            note(folder, who, "second ended", os.getpid())
            return None

        try:
            engine.step("first", lambda: note(folder, who, "first"))
            engine.step("second", second)
            engine.step("third", lambda: note(folder, who, "third", os.getpid()))
        except (Cancelled, HandedOver, Taken) as end:
            note(folder, who, type(end).__name__)
            raise
        return None

    return work
