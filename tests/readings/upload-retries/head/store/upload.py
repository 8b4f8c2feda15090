"""Files into the store."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from store.backoff import delays
from store.client import ObjectStore, StoreBusy

ATTEMPTS = 5


class Uploaded(NamedTuple):
    """An object that was stored, and what it took."""

    key: str
    tag: str
    attempts: int


def upload(
    store: ObjectStore, path: Path, key: str, told: Callable[[str], None] = lambda line: None
) -> Uploaded:
    """Store a file; while the store is busy, try again. Raises StoreError, StoreBusy after the last
    attempt. `told` gets a line for each attempt that is repeated."""
    with path.open("rb") as body:
        attempt = 1
        for wait in delays(ATTEMPTS):
            try:
                return Uploaded(key, store.put(key, body), attempt)
            except StoreBusy:
                told(f"{key}: busy, attempt {attempt} of {ATTEMPTS}")
                time.sleep(wait)
                attempt += 1
        return Uploaded(key, store.put(key, body), attempt)
