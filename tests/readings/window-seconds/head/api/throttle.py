"""Requests beyond the limit are turned away."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from limits.settings import Limits
from limits.window import Window


class Throttle:
    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._window = Window(limits.seconds, limits.requests)
        self._clock = clock

    def headers(self, who: str) -> dict[str, str] | None:
        """None where the request may go on, else what the answer 429 says."""
        now = self._clock()
        if self._window.admit(who, now):
            return None
        return {"Retry-After": str(math.ceil(self._window.wait(who, now)))}
