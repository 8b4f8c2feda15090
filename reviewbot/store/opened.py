"""An open database, and what is kept in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from secrets import token_hex
from types import TracebackType

from reviewbot.store import deletion
from reviewbot.store.answers import Answers
from reviewbot.store.database import Database
from reviewbot.store.deliveries import Deliveries
from reviewbot.store.installations import Installations
from reviewbot.store.runs import Runs
from reviewbot.store.sessions import Sessions
from reviewbot.store.tables import documents
from reviewbot.store.votes import Votes
from reviewbot.store.workers import Workers

PADDING = 64 * 1024  # characters that compression halves: more than a delivery takes
_PING = "@ping"  # no id of a run


class Store:
    """May be used by several threads at once; each call is one transaction, and raises StoreDown while the
    database cannot be asked. A process that forks opens its own."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.deliveries = Deliveries(database)
        self.runs = Runs(database)
        self.votes = Votes(database)
        self.workers = Workers(database)
        self.answers = Answers(database)
        self.installations = Installations(database)
        self.sessions = Sessions(database)

    @classmethod
    def open(cls, url: str, clock: Callable[[], float] | None = None) -> Store:
        """`url`: sqlite:////path/of/the/file (place.sqlite_url) or postgresql://…; `clock` takes the place of
        the database's own. Raises ConfigError for another URL, or for the database of a newer reviewbot."""
        return cls(Database(url, clock))

    def ping(self) -> None:
        """Raises StoreDown unless a delivery could be stored now. On a full disk a row may still be changed
        where it stands, and what one transaction writes and takes back is never written: so a row that needs
        pages of its own is committed, and then deleted."""
        row = {"run": _PING, "facts": {"padding": token_hex(PADDING // 2)}}
        with self._database.write() as connection:
            insert = self._database.insert(documents).values(row)
            change = {"facts": insert.excluded.facts}
            connection.execute(insert.on_conflict_do_update(index_elements=["run"], set_=change))
        with self._database.write() as connection:
            connection.execute(documents.delete().where(documents.c.run == _PING))

    def retain(self, days: float) -> Mapping[str, int]:
        """Delete what is older. Returns how many rows of which table."""
        return deletion.retain(self._database, days)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()
