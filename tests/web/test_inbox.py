"""Deliveries wait for one transaction together; nobody waits for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from threading import Event

import pytest

from reviewbot.core.errors import StoreDown
from reviewbot.core.types.run import Delivery
from reviewbot.web.inbox import Full, Inbox


class Slow:
    """Takes when it is let."""

    def __init__(self) -> None:
        self.open = Event()
        self.batches: list[list[str]] = []
        self.error: BaseException | None = None

    def take(self, rows: Sequence[Delivery]) -> list[bool]:
        self.open.wait(10)
        self.batches.append([row.id for row in rows])
        if self.error:
            raise self.error
        return [True] * len(rows)


def row(n: int, state: str = "received") -> Delivery:
    return Delivery(f"d-{n}", "pull_request", state=state)


async def settled(inbox: Inbox, rows: Sequence[Delivery], store: Slow) -> list[bool | BaseException]:
    """All kept at once; the store opens when all wait."""
    inbox.start()
    tasks = [asyncio.create_task(inbox.keep(one)) for one in rows]
    await asyncio.sleep(0.02)
    store.open.set()
    try:
        return await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        await inbox.stop()


def test_what_waits_together_is_stored_together() -> None:
    store, woken = Slow(), []
    inbox = Inbox(store.take, lambda: woken.append(1))
    assert asyncio.run(settled(inbox, [row(n) for n in range(300)], store)) == [True] * 300
    assert [id for batch in store.batches for id in batch] == [f"d-{n}" for n in range(300)]
    assert 2 <= len(store.batches) <= 4
    assert len(woken) == len(store.batches)


def test_nobody_is_woken_for_nothing() -> None:
    store, woken = Slow(), []
    inbox = Inbox(store.take, lambda: woken.append(1))
    asyncio.run(settled(inbox, [row(1, "ignored"), row(2, "failed")], store))
    assert woken == []


@pytest.mark.parametrize("error", [StoreDown("gone"), ZeroDivisionError()])
def test_a_failure_is_told_to_all_who_wait(error: Exception) -> None:
    store = Slow()
    store.error = error
    inbox = Inbox(store.take, lambda: None)
    assert asyncio.run(settled(inbox, [row(n) for n in range(5)], store)) == [error] * 5


def test_too_many_are_turned_away() -> None:
    store = Slow()
    inbox = Inbox(store.take, lambda: None, most=10)
    told = asyncio.run(settled(inbox, [row(n) for n in range(30)], store))
    refused = [one for one in told if isinstance(one, Full)]
    assert 19 <= len(refused) <= 20  # one batch may have left the queue already
    assert sum(map(len, store.batches)) == 30 - len(refused)


def test_a_store_that_hangs_is_not_waited_for() -> None:
    store = Slow()

    async def asked() -> None:
        inbox = Inbox(store.take, lambda: None, seconds=0.02)
        inbox.start()
        with pytest.raises(Full, match="did not answer"):
            await inbox.keep(row(1))
        store.open.set()
        await inbox.stop()

    asyncio.run(asked())
    assert store.batches == [["d-1"]]


def test_what_waits_when_it_ends_is_stored() -> None:
    store = Slow()

    async def ended() -> list[bool]:
        inbox = Inbox(store.take, lambda: None)
        inbox.start()
        tasks = [asyncio.create_task(inbox.keep(row(n))) for n in range(3)]
        await asyncio.sleep(0)
        store.open.set()
        await inbox.stop()
        with pytest.raises(Full):
            await inbox.keep(row(9))
        return await asyncio.gather(*tasks)

    assert asyncio.run(ended()) == [True] * 3


def test_before_it_is_open() -> None:
    with pytest.raises(Full, match="not open"):
        asyncio.run(Inbox(Slow().take, lambda: None).keep(row(1)))
