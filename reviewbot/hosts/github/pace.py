"""Writes are at least a second apart, as GitHub asks of every client."""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import sha256
from threading import Lock

APART = 1.0  # seconds
_FORGOTTEN = 3_600.0  # seconds after which a pace is forgotten: tokens of Apps live for an hour


class Pace:
    """Deals out the moments at which one may write, to any number of threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._last = clock() - APART

    def wait(self, sleep: Callable[[float], None]) -> None:
        """Until it is the caller's turn."""
        with self._lock:
            now = self._clock()
            self._last = max(now, self._last + APART)
            pause = self._last - now
        if pause > 0:
            sleep(pause)

    def rested(self) -> bool:
        return self._clock() - self._last > _FORGOTTEN


_PACES: dict[str, Pace] = {}
_LOCK = Lock()


def pace(api: str, token: str) -> Pace:
    """The one pace in this process of what writes to `api` with `token`."""
    key = sha256(f"{api}\n{token}".encode()).hexdigest()
    with _LOCK:
        for old in [name for name, known in _PACES.items() if known.rested()]:
            del _PACES[old]
        return _PACES.setdefault(key, Pace())
