"""Several processes at once on one database, and one that is killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from reviewbot.core.types.run import Delivery
from reviewbot.store import Store, sqlite_url
from tests.store.postgres import Server

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Of a database without tables."""
    if request.param == "sqlite":
        return sqlite_url(str(tmp_path))
    running: Server = request.getfixturevalue("postgres")
    return running.database()


@contextmanager
def rival(*argv: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.store.rival", *argv]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.kill()


def told(*argv: str, number: int = 2) -> list[Sequence[str]]:
    """What each of several said that were started at once."""
    with ExitStack() as stack:
        processes = [stack.enter_context(rival(*argv)) for _ in range(number)]
        said = [process.communicate(timeout=60)[0].split() for process in processes]
        assert [process.returncode for process in processes] == [0] * number
    return said


def test_a_new_database_is_made_once(fresh: str) -> None:
    assert told("open", fresh, number=3) == [["ok"]] * 3
    with Store.open(fresh) as store:
        store.ping()


def test_a_delivery_is_new_to_one_only(url: str) -> None:
    one, other = told("take", url, "200")
    assert sorted(map(int, [*one, *other])) == list(range(200))


def test_a_delivery_is_claimed_by_one_only(url: str) -> None:
    with Store.open(url) as store:
        store.deliveries.take([Delivery(str(n), "push", received=1.0 + n) for n in range(200)])
        one, other = told("claim", url)
        assert sorted(map(int, [*one, *other])) == list(range(200))
        assert store.deliveries.counts() == {"done": 200}


def test_one_of_two_that_start_at_once_is_the_worker(url: str) -> None:
    assert sorted(told("register", url)) == [["mine"], ["occupied"]]


def test_what_was_told_outlives_kill_9(url: str) -> None:
    with rival("take", url, "100000") as process:
        assert process.stdout is not None
        seen = [process.stdout.readline().strip() for _ in range(50)]
        process.kill()
        seen += process.stdout.read().split()
    with Store.open(url) as store:
        assert len(seen) >= 50
        assert [id for id in seen if store.deliveries.get(id) is None] == []
        assert store.deliveries.take([Delivery(id, "push") for id in seen]) == [False] * len(seen)
