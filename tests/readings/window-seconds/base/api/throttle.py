"""Requests beyond the limit are turned away."""

from __future__ import annotations

import time
from collections.abc import Callable

from limits.settings import Limits
from limits.window import Window


def clock_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Throttle:
    def __init__(self, limits: Limits, clock: Callable[[], int] = clock_ms) -> None:
        self._window = Window(limits.window_ms, limits.requests)
        self._clock = clock

    def headers(self, who: str) -> dict[str, str] | None:
        """None where the request may go on, else what the answer 429 says."""
        now = self._clock()
        if self._window.admit(who, now):
            return None
        return {"Retry-After": str(-(-self._window.wait_ms(who, now) // 1000))}
