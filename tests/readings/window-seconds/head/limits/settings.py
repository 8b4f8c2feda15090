"""The limits that the configuration sets."""

from __future__ import annotations

import tomllib
from typing import NamedTuple


class Limits(NamedTuple):
    seconds: float
    requests: int


def parse_limits(text: str) -> Limits:
    """`window_ms` is what `window_seconds` was called before; installations still have it."""
    table = tomllib.loads(text)["limits"]
    seconds = table.get("window_seconds")
    if seconds is None:
        seconds = table["window_ms"] / 1000
    return Limits(seconds, table["requests"])
