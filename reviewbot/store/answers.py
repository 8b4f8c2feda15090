"""What a model answered, by its question: nobody pays for it twice."""

from __future__ import annotations

from sqlalchemy import BigInteger, delete, func, literal, or_, select, tuple_

from reviewbot.core.errors import StoreDown
from reviewbot.store.database import Database
from reviewbot.store.deletion import BATCH
from reviewbot.store.tables import answers

LARGEST = 4_000_000  # bytes of one


class Answers:
    """Implements llm.cassette.Kept for the answers of one repository of an installation: they quote its
    code, so another neither reads them nor keeps them alive."""

    def __init__(self, database: Database, installation: int | None = None, repo: str = "") -> None:
        self._database = database
        self._owner, self._repo = installation or 0, repo

    def of(self, installation: int | None, repo: str) -> Answers:
        return Answers(self._database, installation, repo)

    def read(self, name: str) -> bytes | None:
        mine = (answers.c.installation == self._owner) & (answers.c.repo == self._repo)
        mine &= answers.c.name == name
        try:
            with self._database.read() as connection:
                return connection.execute(select(answers.c.content).where(mine)).scalar()
        except StoreDown:
            return None

    def write(self, name: str, content: bytes) -> None:
        if len(content) > LARGEST:
            return
        try:
            with self._database.write() as connection:
                row = {"content": content, "size": len(content), "at": self._database.now(connection)}
                whose = {"installation": self._owner, "repo": self._repo, "name": name}
                insert = self._database.insert(answers).values(**whose, **row)
                keys = list(whose)
                connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=row))
        except StoreDown:
            return

    def shrink(self, entries: int, size: int) -> int:
        """Delete the oldest of all installations, until there are at most `entries` of `size` bytes together.
        Returns how many were deleted."""
        keys = (answers.c.installation, answers.c.repo, answers.c.name)
        newest = (answers.c.at.desc(), *keys)
        ranked = select(
            *keys,
            func.row_number().over(order_by=newest).label("rank"),
            func.sum(answers.c.size).over(order_by=newest, rows=(None, 0)).label("bytes"),
        ).subquery()
        # A sum of sizes and its bound are past 32 bits.
        over = select(*(ranked.c[key.name] for key in keys)).where(
            or_(ranked.c.rank > entries, ranked.c.bytes > literal(size, BigInteger))
        )
        with self._database.read() as connection:
            rows = [tuple(row) for row in connection.execute(over)]
        for start in range(0, len(rows), BATCH):
            with self._database.write() as connection:
                connection.execute(delete(answers).where(tuple_(*keys).in_(rows[start : start + BATCH])))
        return len(rows)
