"""A database is brought to the newest version, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from sqlalchemy import Engine, create_engine, inspect, text
from sqlalchemy.exc import DBAPIError

from reviewbot.core.errors import ConfigError, ReviewbotError
from reviewbot.store import Store, schema
from reviewbot.store.schema import migrate
from tests.store.test_rivals import fresh

__all__ = ["fresh"]
NOW = max(schema.STEPS)
STEPS = {
    NOW + 1: ["CREATE TABLE reviewbot_second (a INTEGER)"],
    NOW + 2: [
        "ALTER TABLE reviewbot_second ADD COLUMN b INTEGER",
        "INSERT INTO reviewbot_second VALUES (1, 2)",
    ],
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
    for steps in ({NOW + 1: STEPS[NOW + 1]}, STEPS, STEPS):
        with engine.begin() as connection:
            migrate(connection, steps)
    assert asked(engine, "SELECT * FROM reviewbot_second") == [(1, 2)]
    assert asked(engine, "SELECT version FROM reviewbot_schema") == [(NOW + 2,)]


def test_a_step_that_fails_leaves_the_database_as_it_was(
    fresh: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = STEPS | {NOW + 2: [*STEPS[NOW + 2], "INSERT INTO reviewbot_nowhere VALUES (1)"]}
    monkeypatch.setattr("reviewbot.store.database.migrate", partial(migrate, steps=broken))
    with pytest.raises(ReviewbotError, match="reviewbot_nowhere"):
        Store.open(fresh)
    monkeypatch.undo()
    assert asked(engine, "SELECT version FROM reviewbot_schema") == [(NOW,)]
    with pytest.raises(DBAPIError):
        asked(engine, "SELECT * FROM reviewbot_second")
    with Store.open(fresh) as store:
        store.ping()


def test_a_database_of_a_newer_reviewbot(fresh: str, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE reviewbot_schema SET version = 99"))
    with pytest.raises(ConfigError, match=f"of version 99, this reviewbot knows {NOW}; install the newer"):
        Store.open(fresh)


def test_a_database_of_version_1_becomes_that_of_today(fresh: str, engine: Engine) -> None:
    names = ("reviewbot_answers", "reviewbot_away")

    def shape() -> list[object]:
        found = inspect(engine)
        return [
            (
                name,
                [(column["name"], column["nullable"]) for column in found.get_columns(name)],
                found.get_pk_constraint(name)["constrained_columns"],
                found.get_indexes(name),
            )
            for name in names
        ]

    today = shape()
    with engine.begin() as connection:
        for name in names:
            connection.execute(text(f"DROP TABLE {name}"))
        connection.execute(text("CREATE TABLE reviewbot_answers (name TEXT)"))
        for repo in ("Acme/One", "acme/one", "Acme/Two"):
            vote = f"('{repo}', 1, 'f', 'found', 's', 1.0)"
            connection.execute(text(f"INSERT INTO reviewbot_votes VALUES {vote}"))
            connection.execute(text(f"INSERT INTO reviewbot_repositories VALUES ('{repo}', 7)"))
        connection.execute(text("UPDATE reviewbot_schema SET version = 1"))
    with Store.open(fresh) as store:
        store.answers.write("a", b"1\xff")
        assert store.answers.read("a") == b"1\xff"
    assert shape() == today
    for table in ("votes", "repositories"):
        found = asked(engine, f"SELECT repo FROM reviewbot_{table} ORDER BY repo")
        assert found == [("acme/one",), ("acme/two",)]
