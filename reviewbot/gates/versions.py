"""Which versions of the programs that reviews start are installed."""

from __future__ import annotations

import re

from reviewbot.gates.process import Children
from reviewbot.gates.programs import find

PROGRAMS = ("git", "bwrap", "shellcheck", "ruff")
TIMEOUT = 10.0  # seconds


def versions() -> dict[str, str]:
    """By name, what a program says of itself and where it lies, or that it is not installed."""
    return {name: _version(name) for name in PROGRAMS}


def _version(name: str) -> str:
    place = find(name)
    if place is None:
        return "not installed"
    try:
        ended = Children().run((place, "--version"), "/", TIMEOUT)
    except OSError as error:
        return f"{place} cannot be started: {error.strerror}"
    found = re.search(r"\d+(?:\.\d+)+", ended.stdout)
    return f"{found[0]} ({place})" if found and not ended.exit else f"{place} does not tell its version"
