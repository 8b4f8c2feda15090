"""How long to wait before the next attempt."""

from __future__ import annotations

import random
from collections.abc import Iterator

FIRST = 200
CAP = 10_000


def delays(attempts: int) -> Iterator[int]:
    """The milliseconds before each attempt but the first: doubled each time, and spread."""
    wait = FIRST
    for _ in range(attempts - 1):
        yield random.randint(wait // 2, wait)
        wait = min(wait * 2, CAP)
