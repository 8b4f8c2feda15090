"""Lines of a reduced script, put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def after(word: str, lines: Sequence[str]) -> list[str]:
    return [word + lines[0], *lines[1:]]


def joined(left: Sequence[str], operator: str, right: Sequence[str]) -> list[str]:
    return [*left[:-1], f"{left[-1]} {operator} {right[0]}", *right[1:]]


def without_repeats(lines: Iterable[str]) -> list[str]:
    """One `true` for many."""
    kept: list[str] = []
    for line in lines:
        if line != "true" or kept[-1:] != ["true"]:
            kept.append(line)
    return kept
