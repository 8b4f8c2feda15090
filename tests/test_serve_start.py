"""What `reviewbot serve` cannot work with: said in one line, before anything is begun."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewbot.store import sqlite_url
from tests.pulls import Launched
from tests.served import ADMIN, MODEL_KEY, ROOT, SECRET, free_port, of_pull, serving, shop


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Launched]:
    with shop(tmp_path, monkeypatch) as it:
        monkeypatch.setenv("REVIEWBOT_STATE_DIR", str(tmp_path / "state"))
        yield it


def refused(*options: str) -> str:
    """The one line of a server that does not start."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "ANTHROPIC_API_KEY": MODEL_KEY}
    options = options or ("--port", str(free_port()))
    command = [sys.executable, "-m", "reviewbot", "serve", *options]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("reviewbot: error: ")
    for secret in (SECRET, ADMIN, MODEL_KEY, "hunter2"):
        assert secret not in line
    return line


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("REVIEWBOT_APP_ID", None, "REVIEWBOT_APP_ID"),
        ("REVIEWBOT_PRIVATE_KEY", None, "REVIEWBOT_PRIVATE_KEY"),
        ("REVIEWBOT_PRIVATE_KEY", "no key", "REVIEWBOT_PRIVATE_KEY"),
        ("REVIEWBOT_APP_ID", "78", "REVIEWBOT_APP_ID"),
        ("REVIEWBOT_WEBHOOK_SECRET", None, "REVIEWBOT_WEBHOOK_SECRET"),
        ("REVIEWBOT_DATABASE_URL", "mysql://u:hunter2@h/d", "REVIEWBOT_DATABASE_URL"),
        ("REVIEWBOT_DATABASE_URL", "postgresql://u:hunter2@127.0.0.1:1/d", "REVIEWBOT_DATABASE_URL"),
        ("GITHUB_API_URL", "http://127.0.0.1:1", "GitHub"),
    ],
)
def test_a_wrong_setting(
    room: Launched, monkeypatch: pytest.MonkeyPatch, name: str, value: str | None, said: str
) -> None:
    if value is None:
        monkeypatch.delenv(name)
    else:
        monkeypatch.setenv(name, value)
    assert said in refused()


def test_a_port_that_is_taken(room: Launched) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"127.0.0.1:{port}" in refused("--port", port)


def test_two_of_one_name(tmp_path: Path, room: Launched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVIEWBOT_WORKER", "one")
    with serving(tmp_path / "state") as server:
        assert "worker one is at work on" in refused()
        assert server.healthy() == 200
        assert server.end() == 0


def test_a_database_that_cannot_be_written(tmp_path: Path, room: Launched) -> None:
    """A folder in the place of the file: what a lost mount looks like, for root too."""
    state = tmp_path / "state"
    file = Path(sqlite_url(str(state)).removeprefix("sqlite:///"))
    with serving(state) as server:
        aside = file.with_name("aside")
        for name in (file, *file.parent.glob(f"{file.name}-*")):
            shutil.move(name, str(name).replace(file.name, aside.name))
        file.mkdir()
        server.until(lambda: server.healthy() == 503)
        assert server.deliver("pull_request", of_pull(room), "r-1").status_code == 503
        file.rmdir()
        for name in aside.parent.glob("aside*"):
            shutil.move(name, str(name).replace(aside.name, file.name))
        server.until(lambda: server.healthy() == 200)
        assert server.deliver("pull_request", of_pull(room), "r-1").status_code == 202
        assert server.end() == 0
