"""The limits that the configuration sets."""

from __future__ import annotations

import tomllib
from typing import NamedTuple


class Limits(NamedTuple):
    window_ms: int
    requests: int


def parse_limits(text: str) -> Limits:
    table = tomllib.loads(text)["limits"]
    return Limits(table["window_ms"], table["requests"])
