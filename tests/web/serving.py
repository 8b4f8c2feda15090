"""The server as it is: uvicorn on loopback, in a thread of this process, with a store on SQLite."""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import requests
import uvicorn
from starlette.routing import BaseRoute

from reviewbot.core.errand import Errand
from reviewbot.core.errors import StoreDown
from reviewbot.core.types.run import Health
from reviewbot.hosts.event import trigger
from reviewbot.hosts.installations import change
from reviewbot.store import Store, sqlite_url
from reviewbot.web.app import application
from reviewbot.web.body import Room
from reviewbot.web.parts import Parts, Settings

SECRET = b"it is a secret of this test"
NOW = 1_800_000_000.0
EVENTS = Path(__file__).parent.parent / "data" / "github" / "events"


def decide(event: str, payload: Mapping[str, Any]) -> Errand:
    found = change(event, payload)
    if found is not None:
        return found
    return trigger(event, payload, name="reviewbot", slug="reviewbot")


def sign(body: bytes, secret: bytes = SECRET) -> str:
    return "sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest()


def example(name: str, **changes: Any) -> bytes:
    """An official payload; its pull request is made open."""
    payload = json.loads((EVENTS / f"{name}.json").read_bytes())
    return json.dumps({**payload, **changes}).encode()


@dataclass
class Served:
    port: int
    store: Store
    woken: list[bool] = field(default_factory=list)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def get(self, path: str) -> requests.Response:
        return requests.get(self.url(path), timeout=10)

    def post(
        self, body: bytes, event: str = "pull_request", id: str = "d-1", **headers: str | None
    ) -> requests.Response:
        """A delivery; a header whose value is None is left out."""
        own = {"Content-Type": "application/json", "X-GitHub-Event": event, "X-GitHub-Delivery": id}
        own["X-Hub-Signature-256"] = sign(body)
        own |= {name.replace("_", "-"): value for name, value in headers.items()}
        kept = {name: value for name, value in own.items() if value is not None}
        return requests.post(self.url("/webhook"), data=body, headers=kept, timeout=10)

    def raw(self, text: bytes) -> bytes:
        """What is answered to these very bytes, until the server ends or 0.5 s pass in silence."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=0.5) as line:
            with suppress(BrokenPipeError, ConnectionResetError):
                line.sendall(text)
            answer = b""
            with suppress(TimeoutError, ConnectionResetError):
                while chunk := line.recv(65_536):
                    answer += chunk
            return answer


class Down:
    """A store whose database is gone while `gone`."""

    def __init__(self) -> None:
        self.gone = True
        self.rows: list[Any] = []
        self.deliveries = self
        self.runs = self

    def take(self, rows: Any) -> list[bool]:
        self.ping()
        self.rows += rows
        return [True] * len(rows)

    def ping(self) -> None:
        if self.gone:
            raise StoreDown("the database: connection to postgresql://me:hunter2hunter2@db refused")

    def counts(self) -> dict[str, int]:
        self.ping()
        return {"received": 2}

    def oldest(self) -> float | None:
        return NOW - 7


@contextmanager
def served(
    folder: Path,
    *,
    secrets: tuple[bytes, ...] = (SECRET,),
    checks: Sequence[Callable[[], Health]] = (),
    settings: Settings = Settings(),  # noqa: B008
    pages: Sequence[BaseRoute] = (),
    room: Room | None = None,
    store: Any = None,
) -> Iterator[Served]:
    with Store.open(sqlite_url(str(folder / "state"))) as opened:
        made = Served(0, opened)
        parts = Parts(
            secrets, store or opened, decide, settings, checks, lambda: NOW, partial(made.woken.append, True)
        )
        with running(application(parts, pages, room=room)) as port:
            made.port = port
            yield made


@contextmanager
def running(app: Any) -> Iterator[int]:
    """The port of an ASGI application."""
    ready = Event()

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready.set()

    server = Server(
        uvicorn.Config(app, log_config=None, lifespan="on", server_header=False, timeout_graceful_shutdown=2)
    )
    with socket.create_server(("127.0.0.1", 0)) as door:
        thread = Thread(target=server.run, args=([door],), daemon=True)
        thread.start()
        assert ready.wait(10), "the server does not start"
        try:
            yield door.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(10)
