"""Jobs that are done at once, in the thread that submits them. No step is remembered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial

from reviewbot.jobs import record
from reviewbot.jobs.engine import JSON, Cancelled, Work


class Inline:
    """Implements the Engine port. A job that ends with an error ends `submit` with it; one that was
    cancelled does not."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._current: ContextVar[str] = ContextVar("job", default="")
        self._known: set[str] = set()
        self._cancelled: set[str] = set()

    def submit(self, job: Mapping[str, JSON], *, id: str, partition: str) -> None:
        if id in self._known:
            return
        self._known.add(id)
        handed: Mapping[str, JSON] = record.read(record.written(dict(job)))  # type: ignore[assignment]
        with self._at(id):
            try:
                self._work(handed, self)
            except Cancelled:
                return

    def cancel(self, id: str) -> None:
        self._cancelled.add(id)

    def step(self, name: str, call: Callable[[], JSON]) -> JSON:
        self.ownership()()
        return record.replayed(record.outcome(name, call))

    def ownership(self) -> Callable[[], None]:
        return partial(self._go_on, self.job_id())

    def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    def job_id(self) -> str:
        if not (id := self._current.get()):
            raise RuntimeError("no job is done in this thread")
        return id

    def _go_on(self, id: str) -> None:
        if id in self._cancelled:
            raise Cancelled(id)

    @contextmanager
    def _at(self, id: str) -> Iterator[None]:
        token = self._current.set(id)
        try:
            yield
        finally:
            self._current.reset(token)
