"""The front door of the App: `reviewbot serve` in a process of its own, with the fake GitHub around it."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.fakes.github.signing import private_key
from tests.pulls import NUMBER, Launched, launched

ROOT = Path(__file__).parent.parent
SECRET = "the secret of a test's webhook"
ADMIN = "the token of a test's administrator"
INSTALLATION = 88


class Server:
    """One `reviewbot serve`."""

    def __init__(self, state: Path, environment: dict[str, str]) -> None:
        self.port = _free()
        self.url = f"http://127.0.0.1:{self.port}"
        env = {**os.environ, "PYTHONPATH": str(ROOT), "REVIEWBOT_STATE_DIR": str(state), **environment}
        env |= {"REVIEWBOT_PUBLIC_URL": self.url}
        command = [sys.executable, "-m", "reviewbot", "serve", "--port", str(self.port)]
        self.log = state / f"log-{self.port}"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, env=env, stdout=log, stderr=log, cwd=state)

    def ready(self) -> Server:
        until(lambda: self._answers(), self.process, self.log)
        return self

    def _answers(self) -> bool:
        try:
            return requests.get(f"{self.url}/healthz", timeout=5).status_code == 200
        except requests.ConnectionError:
            return False

    def deliver(self, event: str, payload: dict[str, Any], id: str) -> requests.Response:
        body = json.dumps(payload).encode()
        mac = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        headers = {"X-Hub-Signature-256": f"sha256={mac}", "X-GitHub-Event": event, "X-GitHub-Delivery": id}
        headers["Content-Type"] = "application/json"
        return requests.post(f"{self.url}/webhook", data=body, headers=headers, timeout=10)

    def page(self, path: str) -> requests.Response:
        headers = {"Authorization": f"Bearer {ADMIN}"}
        return requests.get(f"{self.url}{path}", headers=headers, timeout=10)

    def end(self, how: int = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(60)


@contextmanager
def serving(state: Path, **environment: str) -> Iterator[Server]:
    state.mkdir(mode=0o700, exist_ok=True)
    server = Server(state, environment)
    try:
        yield server.ready()
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Launched]:
    with launched(tmp_path, monkeypatch) as it:
        monkeypatch.delenv("GITHUB_TOKEN")
        monkeypatch.setenv("REVIEWBOT_APP_ID", "77")
        monkeypatch.setenv("REVIEWBOT_PRIVATE_KEY", private_key())
        monkeypatch.setenv("REVIEWBOT_WEBHOOK_SECRET", SECRET)
        monkeypatch.setenv("REVIEWBOT_ADMIN_TOKEN", ADMIN)
        yield it


def opened(it: Launched, action: str = "opened") -> dict[str, Any]:
    repository = {"id": 1, "full_name": it.pull.repository.name}
    pull = {"number": NUMBER, "state": "open", "draft": False, "head": {"sha": it.pull.head_sha}}
    person = {"login": "octo-dev", "type": "User"}
    return {
        "action": action,
        "number": NUMBER,
        "pull_request": pull,
        "repository": repository,
        "installation": {"id": INSTALLATION},
        "sender": person,
    }


def test_a_delivery_is_reviewed_once(tmp_path: Path, room: Launched) -> None:
    with serving(tmp_path / "state") as server:
        assert server.deliver("pull_request", opened(room), "a-1").status_code == 202
        until(lambda: ended(room), server.process, server.log)
        assert server.deliver("pull_request", opened(room), "a-1").json()["state"] == "known"
        assert server.deliver("pull_request", opened(room, "reopened"), "a-2").status_code == 202
        until(lambda: settled(server, "a-2"), server.process, server.log)
        assert len(room.pull.reviews) == 1
        assert len(room.pull.comments) == 1
        assert f"{server.url}/runs/" in room.pull.comments[0]["body"]
        assert server.end() == 0


def ended(room: Launched) -> bool:
    return any(run["status"] == "completed" for run in room.pull.check_runs)


def settled(server: Server, id: str) -> bool:
    text = server.page("/deliveries").text
    return id in text and "queued" not in text


def until(
    done: Callable[[], bool], process: subprocess.Popen[bytes], log: Path, seconds: float = 60.0
) -> None:
    end = time.monotonic() + seconds
    while not done():
        if process.poll() is not None or time.monotonic() > end:
            raise AssertionError(f"exit {process.poll()}\n{log.read_text()[-4000:]}")
        time.sleep(0.1)


def _free() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port
