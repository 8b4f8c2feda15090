"""Every test of the store is run on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from reviewbot.store import Store, sqlite_url
from reviewbot.store.tables import metadata, version
from tests.store.postgres import Server, server

KINDS = ("sqlite", "postgresql")


class Clock:
    """Stands until it is moved on."""

    def __init__(self) -> None:
        self.at = 1_000_000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    with server() as running:
        yield running


@pytest.fixture(scope="session")
def shared(postgres: Server) -> str:
    """A database for all tests that empty it first: making one takes longer than a test."""
    url = postgres.database()
    Store.open(url).close()
    return url


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Of a database without rows."""
    if request.param == "sqlite":
        return sqlite_url(str(tmp_path / "state"))
    url: str = request.getfixturevalue("shared")
    with psycopg.connect(url, autocommit=True) as connection:
        for name in metadata.tables.keys() - {version.name}:
            connection.execute(f"DELETE FROM {name}".encode())
    return url


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(url: str, clock: Clock) -> Iterator[Store]:
    with Store.open(url, clock) as opened:
        yield opened
