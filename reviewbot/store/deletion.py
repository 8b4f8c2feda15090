"""Rows that go, with all that hangs on them: what is old, and what is somebody's who leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, delete, select, tuple_

from reviewbot.store.database import Database
from reviewbot.store.tables import answers, away, deliveries, documents, runs, sessions, ticks, votes, workers

BATCH = 100  # rows of one transaction: deliveries are stored in between

_DATED: tuple[tuple[Table, Column[float]], ...] = (
    (runs, runs.c.created),
    (deliveries, deliveries.c.received),
    (votes, votes.c.at),
    (answers, answers.c.at),
    (sessions, sessions.c.expires),
    (workers, workers.c.beat),
)


def clear(
    database: Database,
    table: Table,
    where: ColumnElement[bool],
    before: Callable[[Sequence[tuple[Any, ...]]], None] = lambda keys: None,
) -> int:
    """Delete rows batch by batch, `before` being told the keys of each. How many rows it was."""
    keys = list(table.primary_key.columns)
    some = select(*keys).where(where).limit(BATCH)
    count = 0
    while True:
        with database.read() as connection:
            rows = [tuple(row) for row in connection.execute(some)]
        if not rows:
            return count
        before(rows)
        with database.write() as connection:
            if table is runs:
                ids = [row[0] for row in rows]
                connection.execute(delete(ticks).where(ticks.c.run.in_(ids)))
                connection.execute(delete(documents).where(documents.c.run.in_(ids)))
            connection.execute(delete(table).where(tuple_(*keys).in_(rows)))
        count += len(rows)


def clear_votes(database: Database, repos: Sequence[str]) -> None:
    for start in range(0, len(repos), BATCH):
        clear(database, votes, votes.c.repo.in_(repos[start : start + BATCH]))


def retain(database: Database, days: float) -> Mapping[str, int]:
    """Delete what is older than `days`, whatever its state. Returns how many rows of which table."""
    with database.read() as connection:
        until = database.now(connection) - days * 86_400
    clear(database, away, (away.c.at < until) & (away.c.why == "uninstalled"))
    counts = {table: clear(database, table, at < until) for table, at in _DATED}
    return {table.name.removeprefix("reviewbot_"): number for table, number in counts.items()}
