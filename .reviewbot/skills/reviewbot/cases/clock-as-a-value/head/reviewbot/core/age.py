from __future__ import annotations

from posixpath import basename


def age(written: float, now: float, path: str) -> tuple[str, float]:
    return basename(path), now - written
