"""Which processes work, told by their heartbeats."""

from __future__ import annotations

from collections.abc import Collection
from uuid import uuid4

from sqlalchemy import or_, select, update

from reviewbot.core.errors import Occupied
from reviewbot.store.database import Database
from reviewbot.store.tables import workers

ALIVE = 30.0  # seconds after its last beat that a worker counts as living


class Workers:
    """Each opened Store is one process to it: a worker's id belongs to whoever beats for it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._boot = uuid4().hex

    @property
    def boot(self) -> str:
        """What tells this process from all others."""
        return self._boot

    def register(self, id: str, host: str, version: str, ended: Collection[str] = ()) -> None:
        """Raises Occupied while another process beats for that id. `ended`: the `boot` of those who are known
        to have ended, though they beat a moment ago."""
        with self._database.write() as connection:
            now = self._database.now(connection)
            row = {"id": id, "host": host, "version": version, "boot": self._boot, "beat": now}
            insert = self._database.insert(workers).values(**row)
            free = or_(workers.c.boot.in_([self._boot, *ended]), workers.c.beat < now - ALIVE)
            insert = insert.on_conflict_do_update(index_elements=["id"], set_=row, where=free)
            if connection.execute(insert.returning(workers.c.id)).first() is not None:
                return
            other = connection.execute(select(workers.c.host).where(workers.c.id == id)).scalar()
        raise Occupied(
            f"worker {id} is at work on {other}",
            f"give this one an id of its own, or wait {ALIVE:.0f} s if that one was killed",
        )

    def beat(self, id: str) -> None:
        """Raises Occupied where others gave this worker up: they go on with its work, so it must stop."""
        mine = (workers.c.id == id) & (workers.c.boot == self._boot)
        with self._database.write() as connection:
            change = update(workers).where(mine).values(beat=self._database.now(connection))
            kept = connection.execute(change.returning(workers.c.id)).first() is not None
        if not kept:
            raise Occupied(f"worker {id} was given up: it did not tell for {ALIVE:.0f} s", "start it again")

    def alive(self) -> list[str]:
        with self._database.read() as connection:
            since = self._database.now(connection) - ALIVE
            query = select(workers.c.id).where(workers.c.beat >= since).order_by(workers.c.id)
            return list(connection.execute(query).scalars())

    def versions(self) -> dict[str, str]:
        """The version of each living worker."""
        with self._database.read() as connection:
            since = self._database.now(connection) - ALIVE
            query = select(workers.c.id, workers.c.version).where(workers.c.beat >= since)
            return {row.id: row.version for row in connection.execute(query)}

    def dead(self, older_than: float | None = None) -> list[str]:
        """Those that have not told for `older_than` seconds (None: ALIVE), and did not leave."""
        with self._database.read() as connection:
            until = self._database.now(connection) - (ALIVE if older_than is None else older_than)
            query = select(workers.c.id).where(workers.c.beat < until).order_by(workers.c.id)
            return list(connection.execute(query).scalars())

    def gone(self, id: str) -> bool:
        """This process leaves, or the dead worker's work was taken over. False: it lives (again), or another
        was faster."""
        with self._database.write() as connection:
            until = self._database.now(connection) - ALIVE
            over = or_(workers.c.boot == self._boot, workers.c.beat < until)
            leave = workers.delete().where(workers.c.id == id, over).returning(workers.c.id)
            return connection.execute(leave).first() is not None
