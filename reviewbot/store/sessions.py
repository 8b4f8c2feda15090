"""Who is logged in."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, or_, select

from reviewbot.store.database import Database
from reviewbot.store.tables import sessions

EACH = 20  # of one login; a further one ends the oldest


class Session(NamedTuple):
    login: str
    opened: float  # seconds since 1970, UTC
    expires: float


class Sessions:
    """By the hash of a token. The token itself is nowhere."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, login: str, token: str, expires: float) -> None:
        with self._database.write() as connection:
            now = self._database.now(connection)
            row = {"token": token, "login": login, "opened": now, "expires": expires}
            insert = self._database.insert(sessions).values(**row)
            connection.execute(insert.on_conflict_do_update(index_elements=["token"], set_=row))
            newest = (
                select(sessions.c.token)
                .where(sessions.c.login == login)
                .order_by(sessions.c.opened.desc(), sessions.c.expires.desc())
                .offset(EACH)
                .limit(1_000)
            )
            over = list(connection.execute(newest).scalars())
            ended = or_(sessions.c.token.in_(over), sessions.c.expires <= now)
            connection.execute(delete(sessions).where(ended))

    def get(self, token: str) -> Session | None:
        """None: there is none, or it has expired."""
        query = select(sessions.c.login, sessions.c.opened, sessions.c.expires)
        with self._database.read() as connection:
            now = self._database.now(connection)
            mine = (sessions.c.token == token) & (sessions.c.expires > now)
            row = connection.execute(query.where(mine)).one_or_none()
        return None if row is None else Session._make(row)

    def close(self, token: str) -> None:
        with self._database.write() as connection:
            connection.execute(delete(sessions).where(sessions.c.token == token))
