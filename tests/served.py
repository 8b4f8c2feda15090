"""`reviewbot serve` in a process of its own, with the fake GitHub and a model around it."""

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
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import requests

from reviewbot.store import Store, sqlite_url
from tests.fakes.anthropic_server import AnthropicServer, Script, anthropic_server
from tests.fakes.github.signing import private_key
from tests.pulls import NUMBER, Launched, made
from tests.test_model_review import BASE, HEAD, SKILL

ROOT = Path(__file__).parent.parent
SECRET = "the secret of a test's webhook"
ADMIN = "the token of a test's administrator"
MODEL_KEY = "sk-ant-the-key-of-a-test"
INSTALLATION = 88
REPO = "acme/launcher"
OVER = ("done", "failed", "ignored")
QUICK = ("tests/serve_quick.py",)  # the dead are missed after seconds
PATIENCE = 120.0  # seconds; a busy machine is no failure


class Server:
    """One `reviewbot serve`."""

    def __init__(
        self, state: Path, environment: Mapping[str, str], program: tuple[str, ...] = (), port: int = 0
    ) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        env = {**os.environ, "PYTHONPATH": str(ROOT), "REVIEWBOT_STATE_DIR": str(state), **environment}
        env |= {"REVIEWBOT_PUBLIC_URL": self.url}
        start = [str(ROOT / program[0]), *program[1:]] if program else ["-m", "reviewbot"]
        command = [sys.executable, *start, "serve", "--port", str(self.port), "--grace", "10"]
        self.database = env.get("REVIEWBOT_DATABASE_URL") or sqlite_url(str(state))
        self.log = state / f"log-{self.port}"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, env=env, stdout=log, stderr=log, cwd=state)

    def ready(self) -> Server:
        self.until(lambda: self.healthy() == 200)
        return self

    def healthy(self) -> int:
        """The status of /healthz; 0: nobody answers."""
        try:
            return requests.get(f"{self.url}/healthz", timeout=15).status_code
        except requests.RequestException:
            return 0

    def deliver(self, event: str, payload: Mapping[str, Any], id: str) -> requests.Response:
        body = json.dumps(payload).encode()
        mac = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        headers = {"X-Hub-Signature-256": f"sha256={mac}", "X-GitHub-Event": event, "X-GitHub-Delivery": id}
        headers["Content-Type"] = "application/json"
        return requests.post(f"{self.url}/webhook", data=body, headers=headers, timeout=10)

    def page(self, path: str) -> str:
        headers = {"Authorization": f"Bearer {ADMIN}"}
        return requests.get(f"{self.url}{path}", headers=headers, timeout=10).text

    def settled(self, *ids: str) -> bool:
        """Whether all that these deliveries led to is over."""
        with Store.open(self.database) as store:
            found = [store.deliveries.get(id) for id in ids]
        return all(row is not None and row.state in OVER for row in found)

    def until(self, done: Callable[[], bool]) -> None:
        """Raises AssertionError where that takes too long, or the server has ended."""
        end = time.monotonic() + PATIENCE
        while not done():
            if self.process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"exit {self.process.poll()}\n{self.log.read_text()[-6000:]}")
            time.sleep(0.1)

    def end(self, how: int = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)


@contextmanager
def serving(
    state: Path, program: tuple[str, ...] = (), port: int = 0, **environment: str
) -> Iterator[Server]:
    """It is up; when it is left, its log is looked through for secrets."""
    state.mkdir(mode=0o700, exist_ok=True)
    server = Server(state, environment, program, port)
    try:
        yield server.ready()
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()
    told_nothing(server.log.read_text())


def told_nothing(text: str) -> None:
    lines = private_key().splitlines()[1:-1]
    for secret in (SECRET, ADMIN, MODEL_KEY, *lines, "ghs_", "eyJ"):
        assert secret not in text


@contextmanager
def shop(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Launched]:
    """A pull request for a model, and the App's credentials in the environment."""
    base = {".reviewbot/skills/shop-review/SKILL.md": SKILL, "shop.py": BASE}
    with made(folder, monkeypatch, base, {"shop.py": HEAD}) as it:
        credentials(monkeypatch)
        yield it


@contextmanager
def model(script: Script, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    with anthropic_server(script) as provider:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", provider.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", MODEL_KEY)
        yield provider


def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    monkeypatch.setenv("REVIEWBOT_APP_ID", "77")
    monkeypatch.setenv("REVIEWBOT_PRIVATE_KEY", private_key())
    monkeypatch.setenv("REVIEWBOT_WEBHOOK_SECRET", SECRET)
    monkeypatch.setenv("REVIEWBOT_ADMIN_TOKEN", ADMIN)


def of_pull(it: Launched, action: str = "opened", head: str = "") -> dict[str, Any]:
    """The payload of a `pull_request` event."""
    pull = {"number": NUMBER, "state": "open", "draft": False, "head": {"sha": head or it.pull.head_sha}}
    return {
        "action": action,
        "number": NUMBER,
        "pull_request": pull,
        "repository": {"id": 1, "full_name": it.pull.repository.name},
        "installation": {"id": INSTALLATION},
        "sender": {"login": "octo-dev", "type": "User"},
    }


def uninstalled() -> dict[str, Any]:
    return {"action": "deleted", "installation": {"id": INSTALLATION, "account": {"login": "acme"}}}


def ended(it: Launched, conclusion: str = "") -> bool:
    """Whether a check run has come to its end; by a `conclusion`, or any."""
    return any(
        run["status"] == "completed" and conclusion in ("", run["conclusion"]) for run in it.pull.check_runs
    )


def summaries(it: Launched) -> list[str]:
    return [row["body"] for row in it.pull.comments if '"kind":"summary"' in row["body"]]


def asked_once(provider: AnthropicServer) -> None:
    questions = [asked.raw for asked in provider.asked if asked.path.startswith("/v1/messages")]
    assert len(questions) > 2
    assert len(set(questions)) == len(questions)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port
