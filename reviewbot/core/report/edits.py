"""A checked suggestion as the lines that go and the lines that come."""

from __future__ import annotations

from collections.abc import Sequence

from reviewbot.core.types import Suggestion

Row = tuple[str, str]  # mark ("-", "+", or " " for a line that stays) and the line


def rows(suggestion: Suggestion) -> list[Row]:
    """The edit as the rows of a hunk."""
    old, edit = suggestion.old, suggestion.edit
    new = edit.replacement.split("\n") if edit.replacement else []
    before, after = _common(old, new)
    kept = len(old) - after
    return [
        *((" ", line) for line in old[:before]),
        *(("-", line) for line in old[before:kept]),
        *(("+", line) for line in new[before : len(new) - after]),
        *((" ", line) for line in old[kept:]),
    ]


def span(suggestion: Suggestion) -> str:
    """The lines that the edit replaces: `line 41`, `lines 41-43`."""
    edit = suggestion.edit
    return f"line {edit.line}" if edit.start_line == edit.line else f"lines {edit.start_line}-{edit.line}"


def _common(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many lines the two have in common at their start, and then at their end."""
    shorter = min(len(old), len(new))
    before = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    rest = shorter - before
    return before, next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
