"""Deliveries on their way into the store: one transaction for all that come within a moment.

A transaction costs about as much for a hundred rows as for one; at 200 deliveries a second one for
each would take half of a processor.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from threading import Condition, Thread
from typing import NamedTuple

from reviewbot.core.types.run import Delivery

BATCH = 256
MOST = 4_096  # that wait; beyond them the store is too slow, and GitHub is told so
SECONDS = 8.0  # GitHub gives up after ten
SPACING = 0.015  # seconds between the begins of two transactions; the first of a burst does not wait


class Full(Exception):
    """The store does not keep up."""


class _Waiting(NamedTuple):
    delivery: Delivery
    new: asyncio.Future[bool]


class Inbox:
    """Between start() and stop(), for the event loop that start() was called in."""

    def __init__(
        self,
        take: Callable[[Sequence[Delivery]], list[bool]],
        wake: Callable[[], None],
        *,
        most: int = MOST,
        seconds: float = SECONDS,
    ) -> None:
        self._take = take
        self._wake = wake
        self._most = most
        self._seconds = seconds
        self._waiting: deque[_Waiting] = deque()
        self._changed = Condition()
        self._ends = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._ends = False
        self._thread = Thread(target=self._run, name="inbox", daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """What waits is stored first."""
        with self._changed:
            self._ends = True
            self._changed.notify()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)

    async def keep(self, delivery: Delivery) -> bool:
        """True once it is stored and to be worked on; False: it was known. Raises Full, and what the
        store raises."""
        if self._loop is None:
            raise Full("the inbox is not open")
        waiting = _Waiting(delivery, self._loop.create_future())
        with self._changed:
            if self._ends or len(self._waiting) >= self._most:
                raise Full("deliveries come faster than they can be stored")
            self._waiting.append(waiting)
            self._changed.notify()
        try:
            return await asyncio.wait_for(waiting.new, self._seconds)
        except TimeoutError:
            raise Full(f"the store did not answer within {self._seconds:.0f} s") from None

    def _run(self) -> None:
        begun = 0.0
        while batch := self._next(begun):
            begun = time.monotonic()
            told: list[bool] | BaseException
            try:
                told = self._take([waiting.delivery for waiting in batch])
            except BaseException as error:  # whatever it is, those who wait must hear of it
                told = error
            if self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(_tell, batch, told)
            if isinstance(told, list) and any(map(_is_work, batch, told)):
                self._wake()

    def _next(self, begun: float) -> list[_Waiting]:
        """Empty: it is over. begun: when the last ones were taken."""
        with self._changed:
            while not self._waiting and not self._ends:
                self._changed.wait()
        if not self._ends and (early := begun + SPACING - time.monotonic()) > 0:
            time.sleep(early)
        with self._changed:
            return [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]


def _is_work(waiting: _Waiting, new: bool) -> bool:
    return new and waiting.delivery.state == "received"


def _tell(batch: Sequence[_Waiting], told: list[bool] | BaseException) -> None:
    for at, waiting in enumerate(batch):
        if waiting.new.done():  # its request is gone
            continue
        if isinstance(told, list):
            waiting.new.set_result(told[at])
        else:
            waiting.new.set_exception(told)
