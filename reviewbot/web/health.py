"""GET /healthz: 200 while deliveries can be stored; what works badly is named beside it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

from reviewbot.core.ask.redact import redacted
from reviewbot.core.errors import StoreDown
from reviewbot.core.types.run import Health
from reviewbot.store import Store

FRESH = 5.0  # seconds that an answer is good for, however often it is asked
SECONDS = 5.0  # that a check may take


class Checkup:
    """Runs each check in a thread; one that hangs is not begun again."""

    def __init__(
        self,
        store: Store,
        checks: Sequence[Callable[[], Health]],
        *,
        fresh: float = FRESH,
        seconds: float = SECONDS,
    ) -> None:
        self._store = store
        self._checks = (self._database, *checks)
        self._fresh = fresh
        self._seconds = seconds
        self._running: dict[int, asyncio.Future[Health]] = {}
        self._asked = asyncio.Lock()
        self._known: tuple[float, Sequence[Health]] | None = None

    async def answer(self, _: Request) -> JSONResponse:
        found = await self._found()
        stored, others = found[0].well, all(row.well for row in found[1:])
        status = "down" if not stored else "ok" if others else "degraded"
        body: dict[str, Any] = {
            "status": status,
            "checks": [{**row._asdict(), "detail": redacted(row.detail)} for row in found],
        }
        return JSONResponse(body, 200 if stored else 503)

    def latest(self) -> Sequence[Health]:
        """Of the last look that somebody took; nothing before the first."""
        return () if self._known is None else self._known[1]

    async def _found(self) -> Sequence[Health]:
        async with self._asked:
            if self._known is None or time.monotonic() - self._known[0] >= self._fresh:
                rows = await asyncio.gather(*(self._one(at) for at in range(len(self._checks))))
                self._known = (time.monotonic(), rows)
            return self._known[1]

    async def _one(self, at: int) -> Health:
        check = self._checks[at]
        task = self._running.get(at) or asyncio.ensure_future(asyncio.to_thread(check))
        self._running[at] = task
        done, _ = await asyncio.wait({task}, timeout=self._seconds)
        if not done:
            return Health(_name(check), False, f"no answer within {self._seconds:.0f} s")
        del self._running[at]
        return task.result()

    def _database(self) -> Health:
        try:
            self._store.ping()
        except StoreDown as error:
            return Health("database", False, str(error))
        return Health("database", True)


def _name(check: Callable[[], Health]) -> str:
    return getattr(check, "__name__", type(check).__name__).strip("_")
