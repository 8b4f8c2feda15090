"""The file of a SQLite database is its user's alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from reviewbot.core.errors import ConfigError, StoreDown
from reviewbot.store import Store, sqlite_url
from tests.store.rows import delivery


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def wide() -> int:
    old = os.umask(0)
    yield old
    os.umask(old)


@pytest.mark.usefixtures("wide")
def test_whatever_the_umask(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with Store.open(sqlite_url(str(folder))) as store:
        store.deliveries.take([delivery("a")])
        assert mode(folder) == 0o700
        files = sorted(folder.iterdir())
        assert [path.name for path in files] == [f"reviewbot.sqlite{end}" for end in ("", "-shm", "-wal")]
        assert {mode(path) for path in files} == {0o600}


def test_a_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / "reviewbot.sqlite").touch(0o644)
    Store.open(sqlite_url(str(tmp_path))).close()
    assert mode(tmp_path / "reviewbot.sqlite") == 0o600


def test_a_folder_in_which_others_write(tmp_path: Path) -> None:
    tmp_path.chmod(0o770)
    with pytest.raises(ConfigError, match=f"chmod 700 {tmp_path}"):
        Store.open(sqlite_url(str(tmp_path)))


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreDown, match="file/state"):
        Store.open(sqlite_url(str(tmp_path / "file" / "state")))


def test_a_path_with_any_character(tmp_path: Path) -> None:
    folder = tmp_path / "a b%20#?é"
    with Store.open(sqlite_url(str(folder))):
        assert (folder / "reviewbot.sqlite").exists()
