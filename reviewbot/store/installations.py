"""Who installed the App, and that all of theirs goes when they leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from sqlalchemy import ColumnElement, Table, delete, select, true, union

from reviewbot.store.database import Database
from reviewbot.store.deletion import BATCH, clear, clear_votes
from reviewbot.store.deliveries import UNINSTALLED
from reviewbot.store.tables import answers, away, deliveries, installations, repositories, runs

SUSPENDED = "the App is suspended there"

Erase: TypeAlias = Callable[[Sequence[str]], None]


class Installations:
    def __init__(self, database: Database) -> None:
        self._database = database

    def remember(self, id: int, account: str, repos: Sequence[str] = (), *, resumed: bool = False) -> bool:
        """`repos` are added to those that it has; one that another installation had is moved. resumed: it is
        suspended no more. False: it has left, and GitHub gives no id twice."""
        if self.away(id) == UNINSTALLED:
            return False
        with self._database.write() as connection:
            if resumed:
                mine = (away.c.installation == id) & (away.c.why == "suspended")
                connection.execute(delete(away).where(mine))
            row = self._database.insert(installations).values(id=id, account=account)
            connection.execute(row.on_conflict_do_update(index_elements=["id"], set_={"account": account}))
            if not repos:
                return True
            insert = self._database.insert(repositories)
            insert = insert.on_conflict_do_update(index_elements=["repo"], set_={"installation": id})
            names = sorted({repo.lower() for repo in repos})
            connection.execute(insert, [{"repo": repo, "installation": id} for repo in names])
        return True

    def of(self, repo: str) -> int | None:
        """The installation that a repository belongs to, as far as it was told."""
        query = select(repositories.c.installation).where(repositories.c.repo == repo)
        with self._database.read() as connection:
            return connection.execute(query).scalar()

    def known(self) -> set[str]:
        """The repositories of which something is kept, or may be asked for."""
        with self._database.read() as connection:
            return set(connection.execute(union(select(runs.c.repo), select(repositories.c.repo))).scalars())

    def away(self, id: int | None) -> str:
        """Why nothing may be done for it; "": it may."""
        query = select(away.c.why).where(away.c.installation == id)
        with self._database.read() as connection:
            why = connection.execute(query).scalar()
        return {None: "", "suspended": SUSPENDED}.get(why, UNINSTALLED)

    def suspend(self, id: int) -> None:
        with self._database.write() as connection:
            row = {"installation": id, "why": "suspended", "at": self._database.now(connection)}
            connection.execute(self._database.insert(away).values(**row).on_conflict_do_nothing())

    def forget(self, id: int, erase: Erase) -> None:
        """Delete all of it: runs with their ticks and reports, deliveries, votes, answers, the names of its
        repositories. That it has left is remembered. `erase` is told the ids of runs before they go, for what
        others keep of them. If it was cut short, call it again: what names the rest goes last."""
        with self._database.write() as connection:
            row = {"why": "uninstalled", "at": self._database.now(connection)}
            insert = self._database.insert(away).values(installation=id, **row)
            connection.execute(insert.on_conflict_do_update(index_elements=["installation"], set_=row))
        self._purge(id, erase, deliveries.c.installation == id)

    def finish(self, erase: Erase) -> None:
        """Delete what others stored of those that have left while they were forgotten."""
        with self._database.read() as connection:
            left = connection.execute(select(away.c.installation).where(away.c.why == "uninstalled"))
            ids = list(left.scalars())
        for id in ids:
            self._purge(id, erase, (deliveries.c.installation == id) & (deliveries.c.repo != ""))

    def _purge(self, id: int, erase: Erase, of_deliveries: ColumnElement[bool]) -> None:
        tables = (repositories, runs, deliveries)
        names = union(*(select(table.c.repo).where(table.c.installation == id) for table in tables))
        with self._database.read() as connection:
            repos = sorted(connection.execute(names).scalars())
        clear_votes(self._database, repos)
        self._clear(runs.c.installation == id, of_deliveries, erase)
        clear(self._database, answers, answers.c.installation == id)
        clear(self._database, repositories, repositories.c.installation == id)
        with self._database.write() as connection:
            connection.execute(delete(installations).where(installations.c.id == id))

    def leave(self, id: int, repos: Sequence[str], erase: Erase) -> None:
        """Delete what is kept of some repositories that an installation gave back, as above."""
        self._without(repos, erase, lambda table: table.c.installation == id)

    def vanish(self, repos: Sequence[str], erase: Erase) -> None:
        """The same for names that no repository has any more, whoever had them."""
        self._without(repos, erase, lambda table: true())

    def _without(
        self, repos: Sequence[str], erase: Erase, whose: Callable[[Table], ColumnElement[bool]]
    ) -> None:
        for start in range(0, len(repos), BATCH):
            some = repos[start : start + BATCH]

            def mine(table: Table, some: Sequence[str] = some) -> ColumnElement[bool]:
                return table.c.repo.in_(some) & whose(table)

            clear_votes(self._database, some)
            self._clear(mine(runs), mine(deliveries), erase)
            clear(self._database, answers, mine(answers))
            clear(self._database, repositories, mine(repositories))

    def _clear(self, of_runs: ColumnElement[bool], of_deliveries: ColumnElement[bool], erase: Erase) -> None:
        clear(self._database, runs, of_runs, lambda rows: erase([id for (id,) in rows]))
        clear(self._database, deliveries, of_deliveries)
