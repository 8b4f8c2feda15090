"""Files into the store."""

from __future__ import annotations

from pathlib import Path

from store.client import ObjectStore


def upload(store: ObjectStore, path: Path, key: str) -> str:
    """Returns the tag of the stored object. Raises StoreError."""
    with path.open("rb") as body:
        return store.put(key, body)
