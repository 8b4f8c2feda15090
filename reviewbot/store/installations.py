"""Who installed the App, and that all of theirs goes when they leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from sqlalchemy import ColumnElement, delete, select, union

from reviewbot.store.database import Database
from reviewbot.store.deletion import BATCH, clear, clear_votes
from reviewbot.store.tables import answers, deliveries, installations, repositories, runs

Erase: TypeAlias = Callable[[Sequence[str]], None]


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

    def forget(self, id: int, erase: Erase) -> None:
        """Delete all of it: runs with their ticks and reports, deliveries, votes, answers, the names of its
        repositories. `erase` is told the ids of runs before they go, for what others keep of them. If it was
        cut short, call it again: what names the rest goes last."""
        tables = (repositories, runs, deliveries)
        names = union(*(select(table.c.repo).where(table.c.installation == id) for table in tables))
        with self._database.read() as connection:
            repos = sorted(connection.execute(names).scalars())
        clear_votes(self._database, repos)
        self._clear(runs.c.installation == id, deliveries.c.installation == id, erase)
        clear(self._database, answers, answers.c.installation == id)
        clear(self._database, repositories, repositories.c.installation == id)
        with self._database.write() as connection:
            connection.execute(delete(installations).where(installations.c.id == id))

    def leave(self, id: int, repos: Sequence[str], erase: Erase) -> None:
        """Delete what is kept of some repositories that an installation gave back, as above. Its answers stay
        until it leaves or they are old: which repository a question was about is not kept."""
        for start in range(0, len(repos), BATCH):
            some = repos[start : start + BATCH]
            clear_votes(self._database, some)
            self._clear(
                runs.c.repo.in_(some) & (runs.c.installation == id),
                deliveries.c.repo.in_(some) & (deliveries.c.installation == id),
                erase,
            )
            given = repositories.c.repo.in_(some) & (repositories.c.installation == id)
            with self._database.write() as connection:
                connection.execute(delete(repositories).where(given))

    def _clear(self, of_runs: ColumnElement[bool], of_deliveries: ColumnElement[bool], erase: Erase) -> None:
        clear(self._database, runs, of_runs, lambda rows: erase([id for (id,) in rows]))
        clear(self._database, deliveries, of_deliveries)
