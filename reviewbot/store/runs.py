"""The runs, what is to be seen of them while they go, and their reports."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, LargeBinary, delete, func, select, type_coerce, update

from reviewbot.core.types.run import Progressed, RepoRow, Run
from reviewbot.store.columns import TooLarge, packed, unpacked
from reviewbot.store.database import Database
from reviewbot.store.tables import documents, runs, ticks

OPEN = ("waiting", "running")
VERDICTS = ("clean", "findings", "incomplete")
TICKS = 1_000  # rows of one run: the first ones, and the last

_BESIDE = ("document", "facts")
_COLUMNS = [runs.c[name] for name in Run._fields if name not in _BESIDE]


class Runs:
    """Lists hold runs without `document` and `facts`; get() has them. What is asked of a run that was
    deleted meanwhile does nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, run: Run) -> bool:
        """False: there is one of that id, which stays as it is."""
        values = {name: value for name, value in run._asdict().items() if name not in _BESIDE}
        with self._database.write() as connection:
            insert = self._database.insert(runs).values(**values, cancel="", ticks=0)
            made = (
                connection.execute(insert.on_conflict_do_nothing().returning(runs.c.id)).first() is not None
            )
            if made and (run.document is not None or run.facts is not None):
                self._beside(connection, run.id, document=run.document, facts=run.facts)
        return made

    def get(self, id: str, *, document: bool = True) -> Run | None:
        """document: with it; one of thousands of findings takes a second."""
        beside = (documents.c.document, documents.c.facts) if document else (documents.c.facts,)
        query = (
            select(*_COLUMNS, *beside)
            .outerjoin(documents, documents.c.run == runs.c.id)
            .where(runs.c.id == id)
        )
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else Run(**row._mapping)

    def report(self, id: str) -> Iterator[bytes] | None:
        """The document as it is stored, in parts of JSON; None: there is none."""
        query = select(type_coerce(documents.c.document, LargeBinary)).where(documents.c.run == id)
        with self._database.read() as connection:
            content = connection.execute(query).scalar()
        return None if content is None else unpacked(content)

    def is_there(self, id: str) -> bool:
        with self._database.read() as connection:
            return connection.execute(select(runs.c.id).where(runs.c.id == id)).first() is not None

    def begin(self, id: str, worker: str) -> bool:
        """Also when another worker goes on with it. False: it has ended, or is not there any more."""
        with self._database.write() as connection:
            begun = func.coalesce(runs.c.begun, self._database.now(connection))
            values = {"state": "running", "begun": begun, "worker": worker}
            change = update(runs).where(runs.c.id == id, runs.c.state.in_(OPEN)).values(values)
            return connection.execute(change.returning(runs.c.id)).first() is not None

    def tick(self, id: str, stage: str, done: int = 0, total: int = 0) -> None:
        with self._database.write() as connection:
            count = update(runs).where(runs.c.id == id).values(ticks=runs.c.ticks + 1).returning(runs.c.ticks)
            number = connection.execute(count).scalar()
            if number is None:
                return
            n = number - 1
            if n >= TICKS:
                connection.execute(delete(ticks).where(ticks.c.run == id, ticks.c.n == n - 1))
            row = Progressed(n, self._database.now(connection), stage, done, total)
            connection.execute(ticks.insert().values(run=id, **row._asdict()))

    def ticks(self, id: str, after: int = -1) -> list[Progressed]:
        """In their order; those with an `n` above `after`."""
        columns = [ticks.c[name] for name in Progressed._fields]
        query = select(*columns).where(ticks.c.run == id, ticks.c.n > after).order_by(ticks.c.n)
        with self._database.read() as connection:
            return [Progressed._make(row) for row in connection.execute(query)]

    def note(
        self,
        id: str,
        *,
        head: str | None = None,
        base: str | None = None,
        title: str | None = None,
        author: str | None = None,
        url: str | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """What became known; None: unchanged. `facts` are added to those that are there, by their names.
        Raises TooLarge for facts beyond columns.PACKED."""
        given = {"head": head, "base": base, "title": title, "author": author, "url": url}
        values = {name: value for name, value in given.items() if value is not None}
        with self._database.write() as connection:
            if values:
                connection.execute(update(runs).where(runs.c.id == id).values(values))
            if facts is not None:
                self._beside(connection, id, facts=facts)

    def finish(
        self,
        id: str,
        state: str,
        verdict: str = "",
        document: Mapping[str, Any] | None = None,
        usd: float = 0.0,
        error: str = "",
    ) -> None:
        """`state`: done | failed | cancelled. The last word holds. A document that is too large is not kept,
        and `error` says so."""
        if document is not None:
            try:
                packed(document)
            except TooLarge as large:
                document, error = None, f"{error}; the report is not kept: {large}".removeprefix("; ")
        with self._database.write() as connection:
            ended = self._database.now(connection)
            values = {"state": state, "verdict": verdict, "usd": usd, "error": error, "ended": ended}
            connection.execute(update(runs).where(runs.c.id == id).values(values))
            if document is not None:
                self._beside(connection, id, document=document)

    def ask_cancel(self, id: str, why: str) -> bool:
        """False: it has ended. The first reason holds."""
        asked = func.coalesce(func.nullif(runs.c.cancel, ""), why or "cancelled")
        change = update(runs).where(runs.c.id == id, runs.c.state.in_(OPEN)).values(cancel=asked)
        with self._database.write() as connection:
            return connection.execute(change.returning(runs.c.id)).first() is not None

    def cancel_asked(self, id: str) -> str:
        """The reason; "": nobody asked. A run that was deleted is to be cancelled."""
        with self._database.read() as connection:
            why = connection.execute(select(runs.c.cancel).where(runs.c.id == id)).scalar()
        return "its record was deleted" if why is None else why

    def open_of(self, repo: str, number: int) -> list[Run]:
        """The waiting and running ones of one pull request, the oldest first."""
        mine = (runs.c.repo == repo) & (runs.c.number == number) & runs.c.state.in_(OPEN)
        return self._list(mine, runs.c.created, runs.c.id)

    def open(self, limit: int = 200) -> list[Run]:
        """Of all, the running ones and then the waiting ones, the oldest first."""
        return self._list(runs.c.state.in_(OPEN), runs.c.state, runs.c.created, limit=limit)

    def of_repo(self, repo: str, limit: int, before: float | None = None) -> list[Run]:
        """The latest first; `before`: created earlier than that."""
        mine = runs.c.repo == repo
        if before is not None:
            mine &= runs.c.created < before
        return self._list(mine, runs.c.created.desc(), runs.c.id, limit=limit)

    def stale(self, alive: Collection[str]) -> list[Run]:
        """The running ones whose worker is none of `alive`."""
        return [
            run for run in self._list(runs.c.state == "running", runs.c.created) if run.worker not in alive
        ]

    def counts(self) -> Mapping[str, int]:
        """How many there are in each state."""
        query = select(runs.c.state, func.count()).group_by(runs.c.state)
        with self._database.read() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def repos(self, limit: int = 1_000) -> list[RepoRow]:
        """Those with the latest runs first."""
        last = func.max(runs.c.created)
        verdicts = [func.count().filter(runs.c.verdict == verdict) for verdict in VERDICTS]
        query = (
            select(runs.c.repo, func.count(), last, func.sum(runs.c.usd), *verdicts)
            .group_by(runs.c.repo)
            .order_by(last.desc(), runs.c.repo)
            .limit(limit)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return [
            RepoRow(name, number, at, dict(zip(VERDICTS, each, strict=True)), usd)
            for name, number, at, usd, *each in rows
        ]

    def _list(self, where: ColumnElement[bool], *order: Any, limit: int | None = None) -> list[Run]:
        query = select(*_COLUMNS).where(where).order_by(*order).limit(limit)
        with self._database.read() as connection:
            return [Run(**row._mapping) for row in connection.execute(query)]

    def _beside(self, connection: Connection, id: str, **given: Mapping[str, Any] | None) -> None:
        # The run's row is locked first, so that none is written for a run that is being deleted.
        if connection.execute(select(runs.c.id).where(runs.c.id == id).with_for_update()).first() is None:
            return
        if given.get("facts") is not None:
            known = connection.execute(select(documents.c.facts).where(documents.c.run == id)).scalar()
            given["facts"] = {**(known or {}), **(given["facts"] or {})}
        insert = self._database.insert(documents).values(run=id, **given)
        changed: Sequence[str] = list(given)
        update = {name: insert.excluded[name] for name in changed}
        connection.execute(insert.on_conflict_do_update(index_elements=["run"], set_=update))
