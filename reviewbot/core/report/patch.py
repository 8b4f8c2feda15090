"""A diff as people read it: nothing hidden in it, and in colours where there are some."""

from __future__ import annotations

from reviewbot.core.report.layout import Ink
from reviewbot.core.visible import visible

_STYLES = {"+": ("green",), "-": ("red",), "@": ("cyan",)}
_HEADERS = ("+++ ", "--- ", "diff --git ")


def render(diff: str, colour: bool = False) -> str:
    """`diff` is the text of `git diff`; the CR of a line end is no part of what is shown."""
    ink = Ink(colour)
    return "".join(
        f"{_row(visible(row.removesuffix(chr(13))), ink)}\n" for row in diff.removesuffix("\n").split("\n")
    )


def _row(row: str, ink: Ink) -> str:
    return ink(row, *(("bold",) if row.startswith(_HEADERS) else _STYLES.get(row[:1], ())))
