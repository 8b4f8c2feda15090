"""The environment → everything that the server is made of, but the server itself."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import socket
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from reviewbot.core.errand import Errand
from reviewbot.core.errors import ConfigError, UsageError
from reviewbot.core.options import DiffOptions
from reviewbot.core.types.run import Health
from reviewbot.gates.sandbox import level
from reviewbot.hosts.event import trigger
from reviewbot.hosts.github.app import App, own_app
from reviewbot.hosts.github.oauth import Oauth
from reviewbot.hosts.installations import change
from reviewbot.hosts.statehome import keep_secret, state_home
from reviewbot.hosts.tenure import Tenure
from reviewbot.jobs.database import VERSION
from reviewbot.jobs.durable import Durable
from reviewbot.jobs.engine import JSON, Engine
from reviewbot.store import Store, sqlite_url
from reviewbot.wiring.job import Ended, Office, work
from reviewbot.wiring.worker import Worker

ENGINE = "jobs.sqlite"  # in the state folder, beside the store's file
NAME = "worker"  # the file with this worker's name
LEAST = 16  # characters of a secret


class Deciding(NamedTuple):
    """What an event asks for, of the App `slug`."""

    slug: str

    def __call__(self, event: str, payload: Mapping[str, Any]) -> Errand:
        found = change(event, payload)
        return found or trigger(event, payload, name=self.slug, slug=self.slug)


class Server(NamedTuple):
    """What a server needs beside sockets."""

    store: Store
    worker: Callable[[Ended], Worker]  # begins to work at once; `Ended` is told of each run that ends here
    app: App
    hooks: tuple[bytes, ...]  # secrets of the webhook
    decide: Deciding
    checks: Sequence[Callable[[], Health]]
    signin: Oauth | None
    seal: bytes  # behind cookies
    public_url: str
    admin: bytes  # SHA-256 of the administrator's token; empty: there is none
    days: int


def build(here: int, days: int) -> Server:
    """`here`: reviews at once in this process. days: how long runs are kept.

    Raises UsageError or ConfigError for what is missing, or where another process has our name.
    """
    hooks = _hooks()
    app = own_app()
    slug = app.slug()
    home = state_home()
    store = Store.open(_database(home))
    id = _worker(home)
    _registered(store, home, id)
    public_url, options = _public_url(), DiffOptions(cwd=home)

    def worker(ended: Ended) -> Worker:
        office = Office(store, app, id, public_url, _derived("answers"), options, ended)

        def done(job: Mapping[str, JSON], engine: Engine) -> JSON:
            return work(job, engine, office)

        engine = Durable(done, url=_engine(home), executor=id, here=here)
        return Worker(store, engine, id, days=days)

    return Server(
        store,
        worker,
        app,
        hooks,
        Deciding(slug),
        (app.credentials, app.clocks, _sandbox),
        _signin(app),
        _derived("cookies"),
        public_url,
        _admin(),
        days,
    )


def _hooks() -> tuple[bytes, ...]:
    given = [secret.strip() for secret in os.environ.get("REVIEWBOT_WEBHOOK_SECRET", "").split(",")]
    found = [secret for secret in given if secret]
    if not found:
        raise UsageError(
            "there is no secret for webhooks",
            "set REVIEWBOT_WEBHOOK_SECRET to that of the App, or make one with `reviewbot app create`",
        )
    if any(len(secret) < LEAST for secret in found):
        raise ConfigError(f"REVIEWBOT_WEBHOOK_SECRET is shorter than {LEAST} characters", "choose another")
    return tuple(secret.encode("utf-8", "surrogateescape") for secret in found)


def _database(home: str) -> str:
    return os.environ.get("REVIEWBOT_DATABASE_URL") or sqlite_url(home)


def _engine(home: str) -> str:
    """PostgreSQL holds both; SQLite has a file for each."""
    given = os.environ.get("REVIEWBOT_DATABASE_URL", "")
    if given.startswith("postgres"):
        return given
    folder = os.path.dirname(given.removeprefix("sqlite:///")) if given else home
    return f"sqlite:///{os.path.join(folder, ENGINE)}"


def _worker(home: str) -> str:
    """REVIEWBOT_WORKER, else a name of its own for each state folder."""
    if given := os.environ.get("REVIEWBOT_WORKER"):
        return given
    path = os.path.join(home, NAME)
    if not os.path.exists(path):
        keep_secret(home, NAME, f"{socket.gethostname()[:32]}-{secrets.token_hex(6)}")
    with open(path, encoding="utf-8") as file:
        return file.read().strip()


def _registered(store: Store, home: str, id: str) -> None:
    """At once too where this server was killed a moment ago."""
    workers, tenure = store.workers, Tenure(home, id)
    workers.register(id, socket.gethostname(), VERSION, tenure.ended(workers.boot))
    tenure.keep(workers.boot)


def _public_url() -> str:
    url = os.environ.get("REVIEWBOT_PUBLIC_URL", "").rstrip("/")
    if url and not url.startswith(("https://", "http://")):
        raise ConfigError(f"REVIEWBOT_PUBLIC_URL={url} is no address", "write https://reviews.example.org")
    return url


def _admin() -> bytes:
    token = os.environ.get("REVIEWBOT_ADMIN_TOKEN", "")
    if token and len(token) < LEAST:
        raise ConfigError(f"REVIEWBOT_ADMIN_TOKEN is shorter than {LEAST} characters", "choose another")
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest() if token else b""


def _signin(app: App) -> Oauth | None:
    client, secret = (os.environ.get(f"REVIEWBOT_CLIENT_{name}", "") for name in ("ID", "SECRET"))
    if bool(client) != bool(secret):
        raise ConfigError("REVIEWBOT_CLIENT_ID and REVIEWBOT_CLIENT_SECRET go together", "set both, or none")
    return Oauth(client, secret, app.api, app.server) if client else None


def _derived(purpose: str) -> bytes:
    """A secret that all processes of one installation share, since they share that of the webhook."""
    first = os.environ["REVIEWBOT_WEBHOOK_SECRET"].split(",")[0].strip()
    return hmac.digest(first.encode("utf-8", "surrogateescape"), purpose.encode(), "sha256")


def _sandbox() -> Health:
    found = level()
    return Health("sandbox", found.full, "" if found.full else found.why)
