"""A configuration as the rows that the page of a run shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def flat(value: Any, under: str = "") -> Iterator[tuple[str, str]]:
    """A configuration as rows: `gates.allow`, `["pytest"]`."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from flat(each, f"{under}.{key}" if under else str(key))
    elif isinstance(value, str):
        yield under, value
    elif isinstance(value, bool) or value is None:
        yield under, {True: "true", False: "false", None: "none"}[value]
    elif isinstance(value, Sequence):
        yield under, ", ".join(map(str, value)) or "none"
    else:
        yield under, str(value)
