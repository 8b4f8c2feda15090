"""The `reviewbot` command with a made-up review behind it: in this process, or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reviewbot.core.options import DiffOptions
from reviewbot.core.types import Review
from tests import builders

ROOT = Path(__file__).parent.parent

# `body` is the body of run_diff.
STAND_IN = """
import signal, sys
from reviewbot import cli
from reviewbot.wiring import diff
from tests import builders
def run_diff(options):
    {body}
diff.run_diff = run_diff
cli.main()
"""
MANY = "return builders.review(*(builders.suggested(line=n) for n in range(2_000)))"  # beyond a pipe's 64 KB


def command(body: str, *argv: str) -> list[str]:
    return [sys.executable, "-c", STAND_IN.format(body=body), *argv]


def start(args: list[str], **streams: Any) -> subprocess.Popen[bytes]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), **streams.pop("env", {})}
    return subprocess.Popen(args, env=env, **streams)


def finish(args: list[str], **streams: Any) -> tuple[int, str, str]:
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    with start(args, **streams) as process:
        out, err = process.communicate(timeout=60)
    return process.returncode, (out or b"").decode(), (err or b"").decode()


class Asked:
    """Stands in for run_diff: remembers the options, returns `review`."""

    def __init__(self) -> None:
        self.options: DiffOptions | None = None
        self.review = builders.review()

    @classmethod
    def by(cls, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Asked:
        """The review that every command of this process gets; it runs in `folder`."""
        asked = cls()
        monkeypatch.setattr("reviewbot.wiring.diff.run_diff", asked)
        monkeypatch.chdir(folder)
        return asked

    def __call__(self, options: DiffOptions) -> Review:
        self.options = options
        return self.review
