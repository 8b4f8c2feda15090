"""The environment → the reviews of the App, at work on what its server takes."""

from __future__ import annotations

import os
import re
import secrets
import socket
from collections.abc import Callable, Mapping
from typing import Any

from reviewbot.core.errors import ConfigError
from reviewbot.core.options import DiffOptions
from reviewbot.hosts.github.app import own_app
from reviewbot.hosts.statehome import keep_secret, state_home
from reviewbot.hosts.tenure import Tenure
from reviewbot.jobs.database import VERSION
from reviewbot.jobs.durable import Durable
from reviewbot.jobs.engine import JSON, Engine
from reviewbot.store import Store
from reviewbot.store.failures import told
from reviewbot.wiring import environment
from reviewbot.wiring.job import Ended, Office, work
from reviewbot.wiring.worker import Worker

_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
_UNFIT = re.compile(r"[^A-Za-z0-9._-]")
RESERVED = "local"  # the engine's own word for a worker without a name
NAME = "worker"  # the file with this worker's name
LEAVES = 3.0  # seconds in which one that was killed a moment ago is gone


def employ(here: int, days: int, ended: Ended) -> tuple[Store, Worker]:
    """It begins to work at its start(). `here`: reviews at once in this process. days: how long runs are
    kept. `ended` is told of each run that ends here.

    Raises UsageError or ConfigError for what is missing, or where another process has our name.
    """
    app, home = own_app(), state_home()
    store = Store.open(environment.database(home))
    id = _name(home)
    _register(store, home, id)
    options = DiffOptions(cwd=home)
    wakes: list[Callable[[], None]] = []  # what was left undone is gone on with before there is a Worker

    def over(state: str, document: Mapping[str, Any] | None) -> None:
        ended(state, document)
        for wake in wakes:  # whoever stood back behind it
            wake()

    office = Office(store, app, id, environment.public_url(), environment.derived("answers"), options, over)

    def done(job: Mapping[str, JSON], engine: Engine) -> JSON:
        return work(job, engine, office)

    engine = Durable(done, url=environment.engine(home), executor=id, here=here, told=told)
    worker = Worker(store, engine, id, days=days)
    wakes.append(worker.wake)
    return store, worker


def _name(home: str) -> str:
    """REVIEWBOT_WORKER, else a name of its own for each state folder. Raises ConfigError."""
    if given := os.environ.get("REVIEWBOT_WORKER"):
        if not _NAME.fullmatch(given) or given == RESERVED:
            raise ConfigError(
                f"REVIEWBOT_WORKER={given[:64]!r} is no name of a worker",
                f"choose 1 to 64 of A-Z a-z 0-9 . _ - and not `{RESERVED}`",
            )
        return given
    path = os.path.join(home, NAME)
    if not os.path.exists(path):
        keep_secret(home, NAME, f"{_UNFIT.sub('_', socket.gethostname()[:32])}-{secrets.token_hex(6)}")
    with open(path, encoding="utf-8") as file:
        return file.read().strip()


def _register(store: Store, home: str, id: str) -> None:
    """At once too where this server was killed a moment ago."""
    workers, tenure = store.workers, Tenure(home, id, LEAVES)
    workers.register(id, socket.gethostname(), VERSION, tenure.ended(workers.boot))
    tenure.keep(workers.boot)
