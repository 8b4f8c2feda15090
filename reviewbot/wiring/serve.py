"""The environment → everything that the server is made of, but the server itself, and the reviews."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from reviewbot.core.errand import Errand
from reviewbot.core.errors import ConfigError
from reviewbot.core.types.run import Health
from reviewbot.gates.sandbox import level
from reviewbot.hosts.event import trigger
from reviewbot.hosts.github.app import App, own_app
from reviewbot.hosts.github.oauth import Oauth
from reviewbot.hosts.installations import change
from reviewbot.hosts.statehome import state_home
from reviewbot.store import Store
from reviewbot.wiring import environment


class Deciding(NamedTuple):
    """What an event asks for, of the App `slug`."""

    slug: str

    def __call__(self, event: str, payload: Mapping[str, Any]) -> Errand:
        found = change(event, payload)
        return found or trigger(event, payload, name=self.slug, slug=self.slug)


class Server(NamedTuple):
    """What a server needs beside sockets."""

    store: Store
    app: App
    hooks: tuple[bytes, ...]  # secrets of the webhook
    decide: Deciding
    checks: Sequence[Callable[[], Health]]
    signin: Oauth | None
    seal: bytes  # behind cookies
    public_url: str
    admin: bytes  # SHA-256 of the administrator's token; empty: there is none


def build() -> Server:
    """Raises UsageError or ConfigError for what is missing."""
    hooks = environment.hooks()
    app = own_app()
    slug = app.slug()
    return Server(
        Store.open(environment.database(state_home())),
        app,
        hooks,
        Deciding(slug),
        (app.credentials, app.clocks, _sandbox),
        _signin(app),
        environment.derived("cookies"),
        environment.public_url(),
        environment.admin(),
    )


def _signin(app: App) -> Oauth | None:
    client, secret = (os.environ.get(f"REVIEWBOT_CLIENT_{name}", "") for name in ("ID", "SECRET"))
    if bool(client) != bool(secret):
        raise ConfigError("REVIEWBOT_CLIENT_ID and REVIEWBOT_CLIENT_SECRET go together", "set both, or none")
    return Oauth(client, secret, app.api, app.server) if client else None


def _sandbox() -> Health:
    found = level()
    return Health("sandbox", found.full, "" if found.full else found.why)
