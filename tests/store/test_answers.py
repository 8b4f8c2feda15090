"""What was paid for, kept for each installation."""

from __future__ import annotations

import pytest

from reviewbot.core.types import Answer
from reviewbot.llm.cassette import Cassette, Kept
from reviewbot.store import Store
from tests.llm.questions import question
from tests.store.conftest import Clock
from tests.store.rows import REPO


class Paid:
    def __init__(self) -> None:
        self.asked = 0

    def ask(self, questions: object) -> tuple[Answer, ...]:
        self.asked += 1
        return (Answer(payload={"n": self.asked}),)


def test_it_keeps_a_cassette(store: Store) -> None:
    paid = Paid()
    kept: Kept = store.answers.of(7, REPO)
    for _ in range(2):
        [answer] = Cassette(paid, kept).ask([question()])
        assert answer.payload == {"n": 1}
    assert paid.asked == 1


def test_bytes_are_kept_and_replaced(store: Store) -> None:
    every = bytes(range(256))
    assert store.answers.read("a") is None
    store.answers.write("a", b"")
    assert store.answers.read("a") == b""
    store.answers.write("a", every)
    assert store.answers.read("a") == every


def test_another_installation_or_repository_has_its_own(store: Store) -> None:
    store.answers.of(7, REPO).write("a", b"seven")
    others = (store.answers.of(8, REPO), store.answers.of(7, "octo-org/other"), store.answers)
    assert [other.read("a") for other in others] == [None, None, None]
    assert store.answers.of(7, REPO.upper()).read("a") == b"seven"


def test_one_that_is_too_large_is_not_there_the_next_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reviewbot.store.answers.LARGEST", 3)
    store.answers.write("a", b"1234")
    store.answers.write("b", b"123")
    assert (store.answers.read("a"), store.answers.read("b")) == (None, b"123")


@pytest.mark.parametrize(
    ("entries", "size", "left"),
    [
        (9, 10**12, "01234"),
        (9, 999, "01234"),
        (2, 999, "34"),
        (9, 30, "234"),
        (9, 29, "34"),
        (0, 999, ""),
        (9, 0, ""),
    ],
)
def test_the_oldest_go_first(store: Store, clock: Clock, entries: int, size: int, left: str) -> None:
    for n in range(5):
        clock.at += 1.0
        store.answers.of(n, REPO).write(str(n), b"0123456789")
    assert store.answers.shrink(entries, size) == 5 - len(left)
    assert "".join(str(n) for n in range(5) if store.answers.of(n, REPO).read(str(n))) == left
