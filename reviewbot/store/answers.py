"""What a model answered, by its question: nobody pays for it twice."""

from __future__ import annotations

from sqlalchemy import BigInteger, delete, func, literal, or_, select, tuple_

from reviewbot.core.errors import StoreDown
from reviewbot.store.database import Database
from reviewbot.store.deletion import BATCH
from reviewbot.store.tables import answers

LARGEST = 4_000_000  # bytes of one


class Answers:
    """Implements llm.cassette.Kept for the answers of one installation: they quote its code, so another
    neither reads them nor keeps them alive."""

    def __init__(self, database: Database, installation: int | None = None) -> None:
        self._database = database
        self._owner = installation or 0

    def of(self, installation: int | None) -> Answers:
        return Answers(self._database, installation)

    def read(self, name: str) -> bytes | None:
        mine = (answers.c.installation == self._owner) & (answers.c.name == name)
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
                insert = self._database.insert(answers).values(installation=self._owner, name=name, **row)
                keys = ["installation", "name"]
                connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=row))
        except StoreDown:
            return

    def shrink(self, entries: int, size: int) -> int:
        """Delete the oldest of all installations, until there are at most `entries` of `size` bytes together.
        Returns how many were deleted."""
        newest = (answers.c.at.desc(), answers.c.installation, answers.c.name)
        ranked = select(
            answers.c.installation,
            answers.c.name,
            func.row_number().over(order_by=newest).label("rank"),
            func.sum(answers.c.size).over(order_by=newest, rows=(None, 0)).label("bytes"),
        ).subquery()
        # A sum of sizes and its bound are past 32 bits.
        over = select(ranked.c.installation, ranked.c.name).where(
            or_(ranked.c.rank > entries, ranked.c.bytes > literal(size, BigInteger))
        )
        with self._database.read() as connection:
            keys = [tuple(row) for row in connection.execute(over)]
        both = tuple_(answers.c.installation, answers.c.name)
        for start in range(0, len(keys), BATCH):
            with self._database.write() as connection:
                connection.execute(delete(answers).where(both.in_(keys[start : start + BATCH])))
        return len(keys)
