"""Who installed the App, and that all of theirs goes when they leave."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, select, union

from reviewbot.store.database import Database
from reviewbot.store.tables import (
    answers,
    deliveries,
    documents,
    installations,
    repositories,
    runs,
    ticks,
    votes,
)


class Installations:
    def __init__(self, database: Database) -> None:
        self._database = database

    def remember(self, id: int, account: str, repos: Sequence[str] = ()) -> None:
        """`repos` are added to those that it has; one that another installation had is moved."""
        with self._database.write() as connection:
            row = self._database.insert(installations).values(id=id, account=account)
            connection.execute(row.on_conflict_do_update(index_elements=["id"], set_={"account": account}))
            if not repos:
                return
            insert = self._database.insert(repositories)
            insert = insert.on_conflict_do_update(index_elements=["repo"], set_={"installation": id})
            connection.execute(insert, [{"repo": repo, "installation": id} for repo in sorted(set(repos))])

    def of(self, repo: str) -> int | None:
        """The installation that a repository belongs to, as far as it was told."""
        query = select(repositories.c.installation).where(repositories.c.repo == repo)
        with self._database.read() as connection:
            return connection.execute(query).scalar()

    def forget(self, id: int) -> list[str]:
        """Delete all of it: runs with their ticks and reports, deliveries, votes, answers, the names of its
        repositories. Returns the ids of the runs, for what others keep of them."""
        with self._database.write() as connection:
            mine = select(runs.c.id).where(runs.c.installation == id)
            names = union(
                select(repositories.c.repo).where(repositories.c.installation == id),
                select(runs.c.repo).where(runs.c.installation == id),
                select(deliveries.c.repo).where(deliveries.c.installation == id),
            )
            connection.execute(delete(votes).where(votes.c.repo.in_(names)))
            connection.execute(delete(ticks).where(ticks.c.run.in_(mine)))
            connection.execute(delete(documents).where(documents.c.run.in_(mine)))
            gone = delete(runs).where(runs.c.installation == id).returning(runs.c.id)
            ids = sorted(connection.execute(gone).scalars())
            for table in (deliveries, answers, repositories):
                connection.execute(delete(table).where(table.c.installation == id))
            connection.execute(delete(installations).where(installations.c.id == id))
        return ids

    def leave(self, id: int, repos: Sequence[str]) -> list[str]:
        """Delete what is kept of some repositories that an installation gave back. Its answers stay until it
        leaves or they are old: which repository a question was about is not kept."""
        with self._database.write() as connection:
            theirs = runs.c.repo.in_(repos) & (runs.c.installation == id)
            mine = select(runs.c.id).where(theirs)
            connection.execute(delete(ticks).where(ticks.c.run.in_(mine)))
            connection.execute(delete(documents).where(documents.c.run.in_(mine)))
            ids = sorted(connection.execute(delete(runs).where(theirs).returning(runs.c.id)).scalars())
            connection.execute(delete(votes).where(votes.c.repo.in_(repos)))
            for table in (deliveries, repositories):
                both = table.c.repo.in_(repos) & (table.c.installation == id)
                connection.execute(delete(table).where(both))
        return ids
