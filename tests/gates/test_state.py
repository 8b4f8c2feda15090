"""What is kept between runs, and who is believed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reviewbot.gates import state


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CACHE_HOME", "REVIEWBOT_STATE_DIR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("environment", "platform", "folder"),
    [
        ({}, "linux", ".cache/reviewbot"),
        ({"XDG_CACHE_HOME": "{home}/own"}, "linux", "own/reviewbot"),
        ({"XDG_CACHE_HOME": "own"}, "linux", ".cache/reviewbot"),
        ({"XDG_CACHE_HOME": "{home}/own"}, "darwin", "Library/Caches/reviewbot"),
        ({"REVIEWBOT_STATE_DIR": "{home}/mine", "XDG_CACHE_HOME": "{home}/own"}, "linux", "mine"),
    ],
)
def test_where_it_is_kept(
    home: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], platform: str, folder: str
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    for name, value in environment.items():
        monkeypatch.setenv(name, value.format(home=home))
    assert state.read("it") is None
    state.write("it", b"first")
    state.write("it", b"content")
    assert state.read("it") == (home / folder / "it").read_bytes() == b"content"
    assert [path.name for path in (home / folder).iterdir()] == ["it"]
    assert (home / folder).stat().st_mode & 0o777 == 0o700


def test_a_home_that_is_not_known_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    state.write("it", b"content")
    assert state.read("it") is None


@pytest.mark.parametrize("kind", ["link", "folder", "pipe", "writable"])
def test_what_somebody_else_can_have_put_there_is_not_read(home: Path, kind: str) -> None:
    state.write("it", b"content")
    place = home / ".cache" / "reviewbot" / "it"
    if kind == "writable":
        place.chmod(0o666)
    else:
        place.rename(home / "moved")
    if kind == "link":
        place.symlink_to(home / "moved")
    elif kind == "folder":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    assert state.read("it") is None


def test_a_linked_folder_is_not_read(home: Path) -> None:
    state.write("it", b"content")
    (home / ".cache" / "reviewbot").rename(home / "moved")
    (home / ".cache" / "reviewbot").symlink_to(home / "moved")
    assert state.read("it") is None


@pytest.mark.parametrize("mode", [0o775, 0o777, 0o1777])
def test_where_others_can_write_it_is_kept_in_a_folder_of_ours(home: Path, mode: int) -> None:
    """With umask 002 nothing was kept, and all was paid for again."""
    shared = home / ".cache" / "reviewbot"
    shared.mkdir(parents=True)
    shared.chmod(mode)
    (shared / "it").write_bytes(b"of somebody else")
    assert state.read("it") is None
    state.write("it", b"content")
    state.write("folder/it", b"more")
    assert (state.read("it"), state.read("folder/it")) == (b"content", b"more")
    own = Path(state.home() or "")
    assert own.parent == shared
    assert own.stat().st_mode & 0o777 == 0o700
    own.chmod(0o770)
    assert state.read("it") is None


def test_folders_are_ours_alone_whatever_the_umask(home: Path) -> None:
    """The ledger made the folder above its own as the umask had it, and then nothing else was kept there."""
    before = os.umask(0o002)
    try:
        made = state.folder("spent")
    finally:
        os.umask(before)
    place = home / ".cache" / "reviewbot" / "spent"
    assert made == str(place)
    assert [folder.stat().st_mode & 0o777 for folder in (place, place.parent)] == [0o700, 0o700]
    place.chmod(0o770)
    assert state.folder("spent") is None


def test_where_nothing_can_be_written_nothing_is_left(home: Path) -> None:
    folder = home / ".cache" / "reviewbot"
    (folder / "it" / "full").mkdir(parents=True)  # a folder that no file can replace
    folder.chmod(0o700)
    state.write("it", b"content")
    assert [path.name for path in folder.iterdir()] == ["it"]


def test_a_name_can_have_folders_in_front(home: Path) -> None:
    mask = os.umask(0o002)  # with which a folder would be one that others can write
    try:
        state.write("kind/a/it", b"content")
    finally:
        os.umask(mask)
    assert state.read("kind/a/it") == b"content"
    assert state.read("kind/a/it", 3) == b"con"
    (home / ".cache" / "reviewbot" / "kind").chmod(0o777)
    assert state.read("kind/a/it") is None
    state.write("kind/a/other", b"content")
    assert [path.name for path in (home / ".cache/reviewbot/kind/a").iterdir()] == ["it"]


def test_what_was_used_last_stays(home: Path) -> None:
    for number, name in enumerate("abc"):
        state.write(f"kind/{name}", b"12345")
        os.utime(home / ".cache/reviewbot/kind" / name, (number, number))
    state.used("kind/a")
    state.shrink("kind", 9, 14)
    assert [state.read(f"kind/{name}") for name in "abc"] == [b"12345", None, b"12345"]
    state.shrink("kind", 1, 14)
    assert [state.read(f"kind/{name}") for name in "abc"] == [b"12345", None, None]


def test_what_is_not_there_needs_no_bounds(home: Path) -> None:
    state.used("kind/it")
    state.shrink("kind", 1, 1)
    assert not (home / ".cache").exists()
