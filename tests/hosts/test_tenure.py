"""Whoever was killed under a name is known to have ended; whoever is at work is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.hosts.tenure import Tenure
from tests.commands import ROOT

HELD = """
import sys
from reviewbot.hosts.tenure import Tenure
tenure = Tenure(sys.argv[1], "w")
print(*tenure.ended(sys.argv[2]), flush=True)
if len(sys.argv) > 3:
    tenure.keep(sys.argv[2])
sys.stdin.read()
"""


def life(folder: Path, *argv: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HELD, str(folder), *argv]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env={"PYTHONPATH": str(ROOT)})


def told(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout is not None
    return process.stdout.readline().split()


def test_who_was_killed_has_ended(tmp_path: Path) -> None:
    with life(tmp_path, "one", "kept") as first:
        assert told(first) == []
        with life(tmp_path, "two", "kept") as beside:
            assert told(beside) == []  # the first is alive
            beside.kill()
        first.kill()
    with life(tmp_path, "three") as third:
        assert told(third) == ["one"]
        third.kill()  # it may have taken the place of the first, or not
    with life(tmp_path, "four", "kept") as fourth:
        assert told(fourth) == ["one", "three"]
        fourth.kill()
    assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o600]
    assert Tenure(str(tmp_path), "other").ended("five") == ()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="make room"):
        Tenure(str(tmp_path / "none"), "w")
