"""How people took the findings."""

from __future__ import annotations

from sqlalchemy import func, select

from reviewbot.core.types.run import ClassVotes
from reviewbot.store.database import Database
from reviewbot.store.tables import votes

KINDS = ClassVotes._fields[1:]


class Votes:
    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, repo: str, number: int, slug: str, fingerprint: str, kind: str, at: float) -> None:
        """`kind` is one of KINDS. One of each kind for each finding of a pull request; a second is not
        counted."""
        if kind not in KINDS:
            raise ValueError(f"{kind}: no kind of vote; there are {', '.join(KINDS)}")
        row = {
            "repo": repo,
            "number": number,
            "slug": slug,
            "fingerprint": fingerprint,
            "kind": kind,
            "at": at,
        }
        with self._database.write() as connection:
            connection.execute(self._database.insert(votes).values(**row).on_conflict_do_nothing())

    def by_class(self, repo: str) -> list[ClassVotes]:
        """By slug."""
        counted = [func.count().filter(votes.c.kind == kind).label(kind) for kind in KINDS]
        query = select(votes.c.slug, *counted).where(votes.c.repo == repo).group_by(votes.c.slug)
        with self._database.read() as connection:
            return [ClassVotes(**row._mapping) for row in connection.execute(query.order_by(votes.c.slug))]
