"""What GitHub delivered: stored before anything is done about it, and once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, and_, func, or_, select, update

from reviewbot.core.errand import Uninstalled
from reviewbot.core.types.run import Delivery, Run
from reviewbot.store.columns import key
from reviewbot.store.database import Database
from reviewbot.store.tables import away, deliveries

STALE = 600.0  # seconds after which a redelivery runs what nobody took up
UNINSTALLED = "the App is not installed there any more"
CLAIM = 60.0  # seconds that a claim holds

_COLUMNS = [deliveries.c[name] for name in Delivery._fields]


class Deliveries:
    def __init__(self, database: Database) -> None:
        self._database = database
        excluded = database.insert(deliveries).excluded
        # Made once: SQLAlchemy takes a millisecond for it.
        self._new = {column.name: column for column in excluded if column.name != "id"}

    def take(self, rows: Sequence[Delivery]) -> list[bool]:
        """Store them in one transaction. True: new, or to be run again, since it failed or nobody took
        it up; False: known, nothing was changed. Those of an installation that has left are kept as
        ignored, without what they are about."""
        first = {key(row.id): row for row in reversed(rows)}
        # In one order, lest two writers wait for each other.
        values = [first[id]._asdict() | {"claimed": None} for id in sorted(first)]
        if not values:
            return []
        with self._database.write() as connection:
            stale = self._database.now(connection) - STALE
            insert = self._database.insert(deliveries)
            again = or_(
                deliveries.c.state == "failed",
                and_(deliveries.c.state == "received", deliveries.c.received < stale),
            )
            insert = insert.on_conflict_do_update(index_elements=["id"], set_=self._new, where=again)
            values = _without(values, _left(connection, values))
            stored = set(connection.execute(insert.returning(deliveries.c.id), values).scalars())
        return _marked(rows, stored)

    def next(self, limit: int) -> list[Delivery]:
        """Claim the oldest that are to be done; no other caller gets them while the claim holds."""
        with self._database.write() as connection:
            now = self._database.now(connection)
            lapsed = and_(deliveries.c.state == "claimed", deliveries.c.claimed < now - CLAIM)
            connection.execute(update(deliveries).where(lapsed).values(state="received", claimed=None))
            picked = (
                select(deliveries.c.id)
                .where(deliveries.c.state == "received")
                .order_by(deliveries.c.received, deliveries.c.id)
                .limit(limit)
                .with_for_update(skip_locked=True)
                .cte("picked")
            )
            claim = (
                update(deliveries)
                .where(deliveries.c.id.in_(select(picked.c.id)))
                .values(state="claimed", claimed=now)
                .returning(*_COLUMNS)
            )
            claimed = [_delivery(row) for row in connection.execute(claim)]
        return sorted(claimed, key=lambda row: (row.received, row.id))

    def settle(self, id: str, state: str, why: str = "", run: str = "") -> None:
        """What became of it. An unknown id is one that was deleted meanwhile; one whose run has ended
        already is not `queued` any more."""
        mine = deliveries.c.id == id
        if state == "queued":
            mine &= deliveries.c.state.in_(("received", "claimed"))
        with self._database.write() as connection:
            values = {"state": state, "why": why, "run": run, "claimed": None}
            connection.execute(update(deliveries).where(mine).values(values))

    def settle_run(self, run: Run, state: str, why: str) -> None:
        """What became of those that wait for a run which ended without a word of its own."""
        mine = (deliveries.c.repo == run.repo) & (deliveries.c.run == run.id)
        mine &= deliveries.c.state == "queued"
        with self._database.write() as connection:
            connection.execute(update(deliveries).where(mine).values(state=state, why=why))

    def get(self, id: str) -> Delivery | None:
        with self._database.read() as connection:
            row = connection.execute(select(*_COLUMNS).where(deliveries.c.id == id)).one_or_none()
        return None if row is None else _delivery(row)

    def of_run(self, run: Run) -> Delivery | None:
        """The one that led to it, once that is settled."""
        mine = (
            (deliveries.c.repo == run.repo) & (deliveries.c.run == run.id) & (deliveries.c.state == "queued")
        )
        query = select(*_COLUMNS).where(mine).order_by(deliveries.c.received).limit(1)
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else _delivery(row)

    def recent(self, limit: int, before: float | None = None, repo: str | None = None) -> list[Delivery]:
        """The latest first; `before`: received earlier than that."""
        query = select(*_COLUMNS).order_by(deliveries.c.received.desc(), deliveries.c.id).limit(limit)
        if before is not None:
            query = query.where(deliveries.c.received < before)
        if repo is not None:
            query = query.where(deliveries.c.repo == repo)
        with self._database.read() as connection:
            return [_delivery(row) for row in connection.execute(query)]

    def counts(self) -> Mapping[str, int]:
        """How many there are in each state."""
        query = select(deliveries.c.state, func.count()).group_by(deliveries.c.state)
        with self._database.read() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def oldest(self) -> float | None:
        """When the longest waiting one was received; None: none waits."""
        waiting = deliveries.c.state.in_(("received", "claimed"))
        with self._database.read() as connection:
            return connection.execute(select(func.min(deliveries.c.received)).where(waiting)).scalar()


def _left(connection: Connection, values: Sequence[Mapping[str, Any]]) -> set[int]:
    """Which of their installations have left for good."""
    ids = sorted({row["installation"] for row in values if row["installation"] is not None})
    query = select(away.c.installation).where(away.c.installation.in_(ids), away.c.why == "uninstalled")
    return set(connection.execute(query).scalars()) if ids else set()


def _without(values: Sequence[dict[str, Any]], left: set[int]) -> list[dict[str, Any]]:
    """To be told again that it has left does no harm, and ends what was cut short."""
    blank = {"state": "ignored", "why": UNINSTALLED, "repo": "", "number": None, "trigger": None}
    return [
        row | blank if row["installation"] in left and not _is_leaving(row["trigger"]) else row
        for row in values
    ]


def _is_leaving(trigger: Mapping[str, Any] | None) -> bool:
    return trigger is not None and trigger.get("kind") == Uninstalled.__name__


def _marked(rows: Sequence[Delivery], stored: set[str]) -> list[bool]:
    """Of an id that stands twice in `rows`, the first."""
    marks = []
    for name in (key(row.id) for row in rows):
        marks.append(name in stored)
        stored.discard(name)
    return marks


def _delivery(row: Row[tuple[object, ...]]) -> Delivery:
    return Delivery._make(row)
