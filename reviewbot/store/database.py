"""Transactions on either database, one code path."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Table,
    create_engine,
    event,
    exc,
    extract,
    func,
    make_url,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

from reviewbot.core.errors import ConfigError, StoreDown
from reviewbot.store.failures import REMEDY, told
from reviewbot.store.place import Place
from reviewbot.store.schema import migrate

BUSY = 5.0  # seconds that one waits for another's lock: GitHub waits ten for the answer
OLDEST = (3, 35, 0)  # of SQLite: RETURNING
_WRITES = "reviewbot_writes"
_SAY = "say postgresql://user:password@host/name or sqlite:////path/of/the/file"

Insert = sqlite.Insert | postgresql.Insert


class Database:
    """Raises ConfigError for a URL that names none of the two; StoreDown, here and in every transaction,
    while the database cannot be asked."""

    def __init__(self, url: str, clock: Callable[[], float] | None = None) -> None:
        self._clock = clock
        where = _checked(url)
        self._sqlite = where.get_backend_name() == "sqlite"
        self._place = Place(where.database or "") if self._sqlite else None
        self._engine = _sqlite(where) if self._sqlite else _postgres(where)
        self._turn = Lock()
        try:
            self._migrate()
        except exc.ProgrammingError as error:
            self.close()
            raise ConfigError(f"REVIEWBOT_DATABASE_URL: {error.orig}", _SAY) from error
        except BaseException:
            self.close()
            raise

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: all of it, or nothing."""
        self._look()
        with self._writing() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        self._look()
        with told(), self._engine.connect() as connection:
            yield connection

    def now(self, connection: Connection) -> float:
        """PostgreSQL's clock, which is one for all workers; with SQLite they are on one machine."""
        if self._clock is not None:
            return self._clock()
        if self._sqlite:
            return time.time()
        return float(connection.execute(select(extract("epoch", func.clock_timestamp()))).scalar_one())

    def insert(self, table: Table) -> Insert:
        """With what both databases say of conflicts."""
        return sqlite.insert(table) if self._sqlite else postgresql.insert(table)

    def close(self) -> None:
        self._engine.dispose()

    def _look(self) -> None:
        if self._place is not None and self._place.moved():
            self._engine.dispose()
            self._migrate()

    def _migrate(self) -> None:
        with self._writing() as connection:
            migrate(connection)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        # SQLite has one writer; its own waiting is by sleeping and unfair, so our threads wait here.
        if self._sqlite and not self._turn.acquire(timeout=BUSY):
            raise StoreDown("the database: it is locked", REMEDY)
        try:
            with told(), self._engine.execution_options(**{_WRITES: True}).begin() as connection:
                yield connection
        finally:
            if self._sqlite:
                self._turn.release()


def _checked(url: str) -> URL:
    try:
        where = make_url(url)
    except (exc.ArgumentError, ValueError):
        where = None
    kind = where.get_backend_name() if where is not None else ""
    if where is not None and kind in ("postgres", "postgresql"):
        return where.set(drivername="postgresql+psycopg")
    if where is not None and kind == "sqlite" and _is_file(where):
        return where.set(drivername="sqlite+pysqlite")
    # The URL may hold a password.
    raise ConfigError(
        "REVIEWBOT_DATABASE_URL names no database of a kind we know",
        _SAY,
    )


def _is_file(where: URL) -> bool:
    name = where.database or ":memory:"
    return name != ":memory:" and not name.startswith("file:") and not where.query


def _postgres(where: URL) -> Engine:
    given = {
        "connect_timeout": 5,
        "client_encoding": "utf8",
        "keepalives_idle": 30,
        "tcp_user_timeout": 10_000,
        "application_name": "reviewbot",
        "options": f"-c statement_timeout=60s -c lock_timeout={BUSY:.0f}s -c timezone=UTC",
    }
    arguments = {name: value for name, value in given.items() if name not in where.query}
    return create_engine(
        where, connect_args=arguments, pool_pre_ping=True, pool_size=5, max_overflow=10, pool_timeout=BUSY
    )


def _sqlite(where: URL) -> Engine:
    if sqlite3.sqlite_version_info < OLDEST:
        raise ConfigError(
            f"SQLite {sqlite3.sqlite_version} is too old", "install 3.35 or newer, or use PostgreSQL"
        )
    engine = create_engine(
        where, connect_args={"timeout": BUSY}, pool_size=5, max_overflow=10, pool_timeout=BUSY
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, record: object) -> None:
        connection.isolation_level = None  # the driver begins no transaction of its own
        for word in (
            "journal_mode=WAL",
            "synchronous=NORMAL",
            "secure_delete=FAST",
            "journal_size_limit=67108864",
        ):
            connection.execute(f"PRAGMA {word}").close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that reads first and writes then can be refused half-way; one that says so cannot.
        writes = connection.get_execution_options().get(_WRITES)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
