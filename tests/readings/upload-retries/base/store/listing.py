"""What is in the store already."""

from __future__ import annotations

import time

from store.backoff import delays
from store.client import ObjectStore, StoreBusy

ATTEMPTS = 6


def stored(store: ObjectStore, prefix: str) -> set[str]:
    """The keys below `prefix`. Raises StoreError."""
    for wait in delays(ATTEMPTS):
        try:
            return set(store.keys(prefix))
        except StoreBusy:
            time.sleep(wait / 1000)
    return set(store.keys(prefix))
