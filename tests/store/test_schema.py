"""A database is brought to the newest version, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.exc import DBAPIError

from reviewbot.core.errors import ConfigError, ReviewbotError
from reviewbot.store import Store
from reviewbot.store.schema import migrate
from tests.store.test_rivals import fresh

__all__ = ["fresh"]
STEPS = {
    2: ["CREATE TABLE reviewbot_second (a INTEGER)"],
    3: ["ALTER TABLE reviewbot_second ADD COLUMN b INTEGER", "INSERT INTO reviewbot_second VALUES (1, 2)"],
}


@pytest.fixture
def engine(fresh: str) -> Iterator[Engine]:
    Store.open(fresh).close()
    engine = create_engine(fresh.replace("postgresql:", "postgresql+psycopg:"))
    yield engine
    engine.dispose()


def asked(engine: Engine, query: str) -> list[tuple[object, ...]]:
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def test_the_steps_that_are_missing_are_done_once(engine: Engine) -> None:
    for steps in ({2: STEPS[2]}, STEPS, STEPS):
        with engine.begin() as connection:
            migrate(connection, steps)
    assert asked(engine, "SELECT * FROM reviewbot_second") == [(1, 2)]
    assert asked(engine, "SELECT version FROM reviewbot_schema") == [(3,)]


def test_a_step_that_fails_leaves_the_database_as_it_was(
    fresh: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = STEPS | {3: [*STEPS[3], "INSERT INTO reviewbot_nowhere VALUES (1)"]}
    monkeypatch.setattr("reviewbot.store.database.migrate", partial(migrate, steps=broken))
    with pytest.raises(ReviewbotError, match="reviewbot_nowhere"):
        Store.open(fresh)
    monkeypatch.undo()
    assert asked(engine, "SELECT version FROM reviewbot_schema") == [(1,)]
    with pytest.raises(DBAPIError):
        asked(engine, "SELECT * FROM reviewbot_second")
    with Store.open(fresh) as store:
        store.ping()


def test_a_database_of_a_newer_reviewbot(fresh: str, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE reviewbot_schema SET version = 9"))
    with pytest.raises(ConfigError, match="of version 9, this reviewbot knows 1; install the newer"):
        Store.open(fresh)
