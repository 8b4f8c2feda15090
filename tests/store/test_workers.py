"""One process to a worker's id; who does not tell is dead."""

from __future__ import annotations

import pytest

from reviewbot.core.errors import Occupied
from reviewbot.store import Store
from reviewbot.store.workers import ALIVE
from tests.store.conftest import Clock


def test_a_second_process_of_one_id_is_refused(store: Store, url: str, clock: Clock) -> None:
    store.workers.register("w", "first.example", "1")
    store.workers.register("w", "first.example", "1")
    with (
        Store.open(url, clock) as other,
        pytest.raises(Occupied, match=r"worker w is at work on first\.example"),
    ):
        other.workers.register("w", "second.example", "1")
    assert store.workers.alive() == ["w"]


def test_the_id_is_free_when_the_first_has_died(store: Store, url: str, clock: Clock) -> None:
    store.workers.register("w", "first.example", "1")
    clock.at += ALIVE
    with Store.open(url, clock) as other:
        with pytest.raises(Occupied):
            other.workers.register("w", "second.example", "1")
        clock.at += 1.0
        other.workers.register("w", "second.example", "1")
    with pytest.raises(Occupied, match="given up"):
        store.workers.beat("w")


def test_the_id_is_free_when_the_first_has_left(store: Store, url: str, clock: Clock) -> None:
    store.workers.register("w", "first.example", "1")
    assert store.workers.gone("w")
    with Store.open(url, clock) as other:
        other.workers.register("w", "second.example", "1")


def test_who_beats_lives(store: Store, url: str, clock: Clock) -> None:
    store.workers.register("w1", "a", "1")
    with Store.open(url, clock) as other:
        other.workers.register("w2", "b", "1")
        clock.at += ALIVE + 1.0
        store.workers.beat("w1")
        assert (store.workers.alive(), store.workers.dead()) == (["w1"], ["w2"])
        assert store.workers.dead(older_than=ALIVE * 2) == []
        other.workers.beat("w2")
    assert store.workers.dead() == []


def test_only_one_takes_over_and_the_dead_one_is_told(store: Store, url: str, clock: Clock) -> None:
    store.workers.register("w1", "a", "1")
    with Store.open(url, clock) as other, Store.open(url, clock) as third:
        assert not other.workers.gone("w1")
        clock.at += ALIVE + 1.0
        assert [other.workers.gone("w1"), third.workers.gone("w1")] == [True, False]
    assert store.workers.dead() == []
    with pytest.raises(Occupied, match="given up"):
        store.workers.beat("w1")


def test_the_databases_own_clock(url: str) -> None:
    with Store.open(url) as store:
        store.workers.register("w", "a", "1")
        assert (store.workers.alive(), store.workers.dead()) == (["w"], [])


def test_the_id_is_free_at_once_when_the_first_is_known_to_have_ended(
    store: Store, url: str, clock: Clock
) -> None:
    store.workers.register("w", "first.example", "1")
    with Store.open(url, clock) as other:
        with pytest.raises(Occupied):
            other.workers.register("w", "first.example", "1", ["another"])
        other.workers.register("w", "first.example", "1", [store.workers.boot])
        assert other.workers.alive() == ["w"]
