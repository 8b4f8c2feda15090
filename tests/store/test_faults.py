"""A database that is full, gone, locked or somebody else's: said, and mended when it is back."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from sqlalchemy import event

from reviewbot.core.errors import ConfigError, StoreDown
from reviewbot.store import Store, database, sqlite_url
from tests.store.conftest import Clock
from tests.store.postgres import Server
from tests.store.rows import delivery
from tests.store.test_rivals import ROOT


def test_a_full_disk(tmp_path: Path) -> None:
    """The system refuses the file more room."""
    argv = [sys.executable, "-m", "tests.store.rival", "fill", sqlite_url(str(tmp_path)), "800000"]
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True, cwd=ROOT, timeout=60, check=True)
    why, kept, taken, whole = done.stdout.splitlines()
    assert why.startswith("the database: ")
    assert [kept, taken, whole] == ["None", "[True]", "True"]


def test_postgres_gone_and_back(postgres: Server, clock: Clock) -> None:
    with Store.open(postgres.database(), clock) as store:
        assert store.deliveries.take([delivery("a")]) == [True]
        postgres.stop()
        try:
            for _ in range(2):
                with pytest.raises(StoreDown, match=r"^the database: "):
                    store.ping()
            with pytest.raises(StoreDown):
                store.deliveries.take([delivery("b")])
            store.answers.write("a", b"x")
            assert store.answers.read("a") is None
        finally:
            postgres.start()
        store.ping()
        assert store.deliveries.take([delivery("a"), delivery("b")]) == [False, True]


def test_postgres_that_takes_no_writes(postgres: Server) -> None:
    """As a standby does."""
    url = postgres.database()
    name = urlsplit(url).path.strip("/")
    with Store.open(url) as store:
        store.ping()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
    with pytest.raises(StoreDown, match="read-only"), Store.open(url) as store:
        store.ping()


def test_postgres_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreDown) as caught:
        Store.open(f"postgresql://reviewbot:s3cret@/x?host={tmp_path}")
    assert "s3cret" not in str(caught.value)
    assert str(caught.value).endswith("see its log, its disk and REVIEWBOT_DATABASE_URL")


def test_a_file_that_is_gone_and_back(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "reviewbot.sqlite"
    with Store.open(sqlite_url(str(tmp_path)), clock) as store:
        store.deliveries.take([delivery("a")])
        path.rename(tmp_path / "away")
        with pytest.raises(StoreDown, match="No such file"):
            store.ping()
        with pytest.raises(StoreDown, match="No such file"):
            store.deliveries.get("a")
        (tmp_path / "away").rename(path)
        assert store.deliveries.take([delivery("a"), delivery("b")]) == [False, True]


def test_a_file_that_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "reviewbot.sqlite"
    with Store.open(sqlite_url(str(tmp_path))) as store:
        store.deliveries.take([delivery("a")])
        for name in ("", "-wal", "-shm"):
            os.rename(f"{path}{name}", tmp_path / f"away{name}")
        path.touch()
        assert store.deliveries.take([delivery("a")]) == [True]
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT id FROM reviewbot_deliveries").fetchall() == [("a",)]
    other.close()


def test_a_file_that_another_holds_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY", 0.05)
    with Store.open(sqlite_url(str(tmp_path))) as store:
        other = sqlite3.connect(tmp_path / "reviewbot.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreDown, match="locked"):
            store.ping()
        assert store.deliveries.get("a") is None  # who reads does not wait
        other.execute("ROLLBACK")
        other.close()
        store.ping()


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "reviewbot.sqlite").write_bytes(b"something else " * 100)
    with pytest.raises(StoreDown, match="not a database"):
        Store.open(sqlite_url(str(tmp_path)))


@pytest.mark.parametrize(
    "url",
    [
        "", "sqlite://", "sqlite:///:memory:", "sqlite:////x?mode=ro", "sqlite:///file:x", "mysql://u:s3cret@h/x",
        "/a/path", "postgresql://u:s3cret@h:port/x", "postgresql://u:s3cret@/x?colour=blue",
    ],
)  # fmt: skip
def test_a_url_that_names_no_database_of_ours(url: str) -> None:
    with pytest.raises(ConfigError, match=r"^REVIEWBOT_DATABASE_URL") as caught:
        Store.open(url)
    assert "s3cret" not in str(caught.value)


def test_the_old_name_of_postgres(postgres: Server) -> None:
    Store.open(postgres.database().replace("postgresql:", "postgres:")).close()


def test_text_that_cannot_be_all_text(postgres: Server) -> None:
    url = postgres.database("ENCODING 'SQL_ASCII' TEMPLATE template0")
    with pytest.raises(ConfigError, match="the database keeps text as SQL_ASCII"):
        Store.open(url)


def test_a_ping_fails_where_a_delivery_would(tmp_path: Path) -> None:
    """/healthz was 200 on a full disk: the row that was changed needed no room."""
    with Store.open(sqlite_url(str(tmp_path))) as store:
        engine = store._database._engine

        def shrink(connection: sqlite3.Connection, *_: object) -> None:
            [[pages]] = connection.execute("PRAGMA page_count").fetchall()
            connection.execute(f"PRAGMA max_page_count={pages}").close()

        engine.dispose()
        event.listen(engine, "connect", shrink)
        with pytest.raises(StoreDown, match="full"):
            store.ping()
        event.remove(engine, "connect", shrink)
        engine.dispose()
        store.ping()
        with sqlite3.connect(urlsplit(sqlite_url(str(tmp_path))).path) as connection:
            assert connection.execute("SELECT count(*) FROM reviewbot_documents").fetchall() == [(0,)]
        connection.close()
