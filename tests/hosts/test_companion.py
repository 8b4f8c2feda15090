"""The process beside the server: begun again when it dies, gone when the server is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Queue
from threading import Event
from typing import Any

import pytest

from reviewbot.hosts import companion
from reviewbot.hosts.companion import Companion
from tests.commands import ROOT

BESIDE = """
import os, signal, sys
from threading import Event
from reviewbot.hosts.companion import READY, Principal
principal, ends = Principal(), Event()
signal.signal(signal.SIGTERM, lambda *_: ends.set())
os.system("echo what a child prints is no message")
principal.wait()
{begin}
principal.follow(lambda: principal.tell({{"woken": os.getpid()}}))
principal.tell(READY)
principal.tell({{"pid": os.getpid()}})
ends.wait()
{end}
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(companion, "SOONEST", 0.05)


class Beside:
    def __init__(self, begin: str, end: str) -> None:
        self.told: Queue[Mapping[str, Any]] = Queue()
        self.refused = Event()
        argv = [sys.executable, "-c", BESIDE.format(begin=begin, end=end)]
        self.companion = Companion(argv, self.told.put, self.refused.set)

    def pid(self) -> int:
        """Of the one that works now; what the one before has told is passed over."""
        while True:
            if "pid" in (message := self.told.get(timeout=30)):
                return int(message["pid"])


@contextmanager
def beside(begin: str = "", end: str = "") -> Iterator[Beside]:
    made = Beside(begin, end)
    try:
        yield made
    finally:
        made.companion.end(0)


def until(done: Callable[[], bool]) -> None:
    ends = time.monotonic() + 30
    while not done():
        assert time.monotonic() < ends
        time.sleep(0.02)


def runs(pid: int) -> bool:
    with suppress(FileNotFoundError):
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    return False


def test_it_works_when_it_is_told_to_and_ends_when_it_is_told_to() -> None:
    with beside() as it:
        assert not it.companion.health().well
        assert it.companion.begin() is None
        pid = it.pid()
        assert it.companion.health().well
        it.companion.wake()
        assert it.told.get(timeout=30) == {"woken": pid}
        assert it.companion.end(30) == 0
        assert not runs(pid)


def test_one_that_is_killed_is_begun_again() -> None:
    with beside() as it:
        assert it.companion.begin() is None
        for _ in range(2):
            pid = it.pid()
            os.kill(pid, signal.SIGKILL)
            until(lambda pid=pid: not runs(pid))  # type: ignore[misc]
        last = it.pid()
        until(lambda: it.companion.health().well)
        it.companion.wake()
        assert it.told.get(timeout=30) == {"woken": last}
        assert not it.refused.is_set()


def test_one_that_cannot_work_says_so_at_the_start() -> None:
    with beside(begin="sys.exit(2)") as it:
        assert it.companion.begin() == 2


def test_one_that_is_killed_at_the_start_is_no_success() -> None:
    with beside(begin="os.kill(os.getpid(), 9)") as it:
        assert it.companion.begin() == 3


def test_one_that_cannot_work_any_more_is_not_begun_again() -> None:
    with beside(end="sys.exit(2)") as it:
        assert it.companion.begin() is None
        os.kill(it.pid(), signal.SIGTERM)
        assert it.refused.wait(30)
        assert not it.companion.health().well


def test_one_that_does_not_read_blocks_nobody() -> None:
    with beside() as it:
        assert it.companion.begin() is None
        pid = it.pid()
        os.kill(pid, signal.SIGSTOP)
        for _ in range(100_000):  # more than a pipe holds
            it.companion.wake()
        os.kill(pid, signal.SIGCONT)
        assert it.told.get(timeout=30) == {"woken": pid}


def test_one_that_does_not_end_is_killed() -> None:
    with beside(end="signal.pause()") as it:
        assert it.companion.begin() is None
        pid = it.pid()
        assert it.companion.end(0.1) == 3
        assert not runs(pid)


def test_it_ends_when_the_server_is_killed(tmp_path: Path) -> None:
    source = BESIDE.format(begin="", end="")
    server = f"""
import sys
from reviewbot.hosts.companion import Companion
it = Companion([sys.executable, "-c", {source!r}], lambda message: print(message["pid"], flush=True), print)
it.begin()
sys.stdin.read()
"""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", server], stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        assert runs(pid)
        process.kill()
    until(lambda: not runs(pid))
