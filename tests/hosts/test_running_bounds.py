"""What a git that talks to a stranger may use, and that nothing it started outlives it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reviewbot.hosts.git import CLEAN
from reviewbot.hosts.running import Bounds, run

ENVIRONMENT = {"PATH": os.environ["PATH"], **CLEAN}


def alias(command: str) -> tuple[str, ...]:
    return ("-c", f"alias.started=!{command}", "started")


def test_what_takes_too_long_is_ended_with_everything_it_started(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "alive")
    reader = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    command = "exec 3>alive; echo up >&3; cat alive & cat alive"
    with pytest.raises(TimeoutError):
        run(str(tmp_path), ENVIRONMENT, alias(command), bounds=Bounds(0.5, 1 << 30, 1 << 30))
    os.set_blocking(reader, True)
    with open(reader, "rb") as pipe:
        pipe.read()  # ends only when nobody holds the other end


def test_memory_and_files_are_limited(tmp_path: Path) -> None:
    bounds = Bounds(60, 1 << 30, 1 << 20)
    code, out, _ = run(str(tmp_path), ENVIRONMENT, alias("ulimit -d; ulimit -f"), bounds=bounds)
    assert (code, out.split()) == (0, [b"1048576", b"2048"])
