"""What the environment says of the App: its database, its secrets, its names."""

from __future__ import annotations

import hashlib
import hmac
import os

from reviewbot.core.errors import ConfigError, UsageError
from reviewbot.store import sqlite_url

ENGINE = "jobs.sqlite"  # in the state folder, beside the store's file
LEAST = 16  # characters of a secret


def hooks() -> tuple[bytes, ...]:
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


def database(home: str) -> str:
    return os.environ.get("REVIEWBOT_DATABASE_URL") or sqlite_url(home)


def engine(home: str) -> str:
    """PostgreSQL holds both; SQLite has a file for each."""
    given = os.environ.get("REVIEWBOT_DATABASE_URL", "")
    if given.startswith("postgres"):
        return given
    folder = os.path.dirname(given.removeprefix("sqlite:///")) if given else home
    return f"sqlite:///{os.path.join(folder, ENGINE)}"


def public_url() -> str:
    url = os.environ.get("REVIEWBOT_PUBLIC_URL", "").rstrip("/")
    if url and not url.startswith(("https://", "http://")):
        raise ConfigError(f"REVIEWBOT_PUBLIC_URL={url} is no address", "write https://reviews.example.org")
    return url


def admin() -> bytes:
    token = os.environ.get("REVIEWBOT_ADMIN_TOKEN", "")
    if token and len(token) < LEAST:
        raise ConfigError(f"REVIEWBOT_ADMIN_TOKEN is shorter than {LEAST} characters", "choose another")
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest() if token else b""


def derived(purpose: str) -> bytes:
    """A secret that all processes of one installation share, since they share that of the webhook."""
    first = os.environ["REVIEWBOT_WEBHOOK_SECRET"].split(",")[0].strip()
    return hmac.digest(first.encode("utf-8", "surrogateescape"), purpose.encode(), "sha256")
