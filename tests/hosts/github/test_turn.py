"""Who posts on a pull request is alone there."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Event, Thread

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.hosts.github import turn as module
from reviewbot.hosts.github.turn import turn

SERVER, PULL = "https://github.test", "acme/launcher#7"


def quiet(stage: str, done: int = 0, total: int = 0) -> None:
    pass


def test_the_second_waits_for_the_first_and_says_so(tmp_path: Path) -> None:
    waiting, order = Event(), []

    def told(stage: str, done: int = 0, total: int = 0) -> None:
        waiting.set()

    def second() -> None:
        with turn(str(tmp_path), SERVER, PULL.upper(), told):
            order.append("second")

    with turn(str(tmp_path), SERVER, PULL, quiet):
        other = Thread(target=second)
        other.start()
        assert waiting.wait(10)
        order.append("first")
    other.join(10)
    assert order == ["first", "second"]


def test_one_that_does_not_end_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAIT", -1.0)
    with turn(str(tmp_path), SERVER, PULL, quiet):
        with (
            pytest.raises(UsageError, match="another run has been at work on acme/launcher#7"),
            turn(str(tmp_path), SERVER, PULL, quiet),
        ):
            pass
        with turn(str(tmp_path), SERVER, "acme/launcher#8", quiet):
            pass


@pytest.mark.parametrize("kind", ["none", "folder", "link"])
def test_where_nothing_can_be_locked_nobody_is_kept_out(kind: str, tmp_path: Path) -> None:
    with turn(str(tmp_path), SERVER, PULL, quiet):
        pass
    [lock] = tmp_path.iterdir()
    victim = tmp_path / "victim"
    lock.unlink()
    if kind == "folder":
        lock.mkdir()
    if kind == "link":
        os.symlink(victim, lock)
    folder = None if kind == "none" else str(tmp_path)
    with turn(folder, SERVER, PULL, quiet), turn(folder, SERVER, PULL, quiet):
        pass
    assert not victim.exists()
