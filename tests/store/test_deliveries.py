"""A delivery is stored once, and done once."""

from __future__ import annotations

import pytest

from reviewbot.store import Store
from reviewbot.store.deliveries import CLAIM, STALE
from tests.store.conftest import Clock
from tests.store.rows import NASTY, delivery


def test_what_is_taken_is_there_with_every_field(store: Store) -> None:
    full = delivery("a", state="ignored", why="a draft", run="r", trigger={"kind": "review", "n": [1, None]})
    assert store.deliveries.take([full]) == [True]
    assert store.deliveries.get("a") == full
    assert store.deliveries.get("b") is None


def test_a_redelivery_is_known_and_changes_nothing(store: Store) -> None:
    assert store.deliveries.take([delivery("a"), delivery("b")]) == [True, True]
    store.deliveries.settle("a", "done", run="r")
    again = [delivery("a", why="again"), delivery("b", why="again"), delivery("c")]
    assert store.deliveries.take(again) == [False, False, True]
    assert store.deliveries.get("a") == delivery("a", state="done", run="r")


def test_a_thousand_redeliveries_in_one_batch_are_one(store: Store) -> None:
    assert store.deliveries.take([delivery("a")] * 1_000) == [True] + [False] * 999
    assert len(store.deliveries.next(10)) == 1


def test_nothing_is_taken_of_nothing(store: Store) -> None:
    assert store.deliveries.take([]) == []


@pytest.mark.parametrize("state", ["queued", "done", "ignored", "claimed"])
def test_a_redelivery_is_known_however_old(store: Store, clock: Clock, state: str) -> None:
    store.deliveries.take([delivery("a", state=state)])
    clock.at += STALE * 100
    assert store.deliveries.take([delivery("a")]) == [False]


def test_a_redelivery_heals_what_failed(store: Store) -> None:
    store.deliveries.take([delivery("a", trigger={"n": 1})])
    store.deliveries.settle("a", "failed", "the database was gone")
    later = delivery("a", received=1_000_100.0, trigger={"n": 2})
    assert store.deliveries.take([later, later]) == [True, False]
    assert store.deliveries.next(10) == [later._replace(state="claimed")]


def test_a_redelivery_heals_what_nobody_took_up(store: Store, clock: Clock) -> None:
    store.deliveries.take([delivery("a")])
    clock.at += STALE
    assert store.deliveries.take([delivery("a", received=clock.at)]) == [False]
    clock.at += 1.0
    assert store.deliveries.take([delivery("a", received=clock.at)]) == [True]


def test_the_oldest_are_claimed_first_and_once(store: Store) -> None:
    store.deliveries.take([delivery(str(n), received=1_000_000.0 - n) for n in range(5)])
    store.deliveries.take([delivery("x", state="ignored")])
    assert [row.id for row in store.deliveries.next(3)] == ["4", "3", "2"]
    assert [row.id for row in store.deliveries.next(3)] == ["1", "0"]
    assert store.deliveries.next(3) == []


def test_a_claim_lapses(store: Store, clock: Clock) -> None:
    store.deliveries.take([delivery("a"), delivery("b")])
    assert len(store.deliveries.next(2)) == 2
    store.deliveries.settle("a", "queued", run="r")
    clock.at += CLAIM
    assert store.deliveries.next(2) == []
    clock.at += 1.0
    assert [row.id for row in store.deliveries.next(2)] == ["b"]


def test_pages_of_the_latest(store: Store) -> None:
    rows = [delivery(str(n), received=1_000_000.0 + n, repo=f"octo-org/{n % 2}") for n in range(6)]
    store.deliveries.take(rows)
    first = store.deliveries.recent(4)
    assert [row.id for row in first] == ["5", "4", "3", "2"]
    assert [row.id for row in store.deliveries.recent(4, before=first[-1].received)] == ["1", "0"]
    assert [row.id for row in store.deliveries.recent(2, repo="octo-org/1")] == ["5", "3"]


def test_counts_and_the_oldest(store: Store) -> None:
    assert (store.deliveries.counts(), store.deliveries.oldest()) == ({}, None)
    store.deliveries.take([delivery("a", received=5.0), delivery("b", received=6.0)])
    store.deliveries.take([delivery("c", state="ignored", received=1.0)])
    assert (store.deliveries.counts(), store.deliveries.oldest()) == ({"received": 2, "ignored": 1}, 5.0)
    store.deliveries.next(1)
    assert store.deliveries.oldest() == 5.0


def test_any_text_is_kept_and_found_again(store: Store) -> None:
    row = delivery(NASTY, why=NASTY, repo=NASTY, trigger={NASTY: NASTY})
    assert store.deliveries.take([row, row]) == [True, False]
    assert store.deliveries.take([row]) == [False]
    [claimed] = store.deliveries.next(1)
    assert claimed.trigger == {NASTY: NASTY}
    store.deliveries.settle(claimed.id, "done")
    kept = store.deliveries.get(NASTY)
    assert kept is not None
    assert kept.state == "done"
    assert store.deliveries.recent(1, repo=NASTY) == [kept]


def test_what_differs_only_in_what_cannot_be_kept_stays_apart(store: Store) -> None:
    ids = ["a\0", "a\ufffd", "a\udc80", "x" * 300, "x" * 301]
    assert store.deliveries.take([delivery(id) for id in ids]) == [True] * 5
