"""What is older than it is to be kept."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Column, Table, delete, select, tuple_

from reviewbot.store.database import Database
from reviewbot.store.tables import answers, deliveries, documents, runs, sessions, ticks, votes, workers

BATCH = 500  # rows of one transaction: deliveries are stored in between

_DATED: tuple[tuple[Table, Column[float]], ...] = (
    (runs, runs.c.created),
    (deliveries, deliveries.c.received),
    (votes, votes.c.at),
    (answers, answers.c.at),
    (sessions, sessions.c.expires),
    (workers, workers.c.beat),
)


def retain(database: Database, days: float) -> Mapping[str, int]:
    """Delete what is older than `days`, whatever its state. Returns how many rows of which table."""
    with database.read() as connection:
        until = database.now(connection) - days * 86_400
    return {
        table.name.removeprefix("reviewbot_"): _expire(database, table, at, until) for table, at in _DATED
    }


def _expire(database: Database, table: Table, at: Column[float], until: float) -> int:
    keys = list(table.primary_key.columns)
    old = select(*keys).where(at < until).order_by(at).limit(BATCH)
    total = 0
    while True:
        with database.write() as connection:
            rows = [tuple(row) for row in connection.execute(old)]
            if not rows:
                return total
            if table is runs:
                ids = [row[0] for row in rows]
                connection.execute(delete(ticks).where(ticks.c.run.in_(ids)))
                connection.execute(delete(documents).where(documents.c.run.in_(ids)))
            connection.execute(delete(table).where(tuple_(*keys).in_(rows)))
            total += len(rows)
