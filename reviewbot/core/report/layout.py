"""Text set in terminal cells: wrapped lines, blocks under a label, a table, colours.

A wide East Asian character takes two cells and a combining mark none, so nothing here counts
characters. All text must have gone through `visible` before.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

LEAST = 24  # cells of a table's column

_SGR = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class Ink:
    """Colours, or none: then every method returns its text."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def __call__(self, text: str, *styles: str) -> str:
        if not self.colour or not text or not styles:
            return text
        return f"\x1b[{';'.join(_SGR[style] for style in styles)}m{text}\x1b[0m"

    def link(self, text: str, url: str | None) -> str:
        """A hyperlink (OSC 8); terminals that know none show the text."""
        return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\" if url and self.colour else text


def cells(text: str) -> int:
    """The width of `text` on a terminal."""
    return len(text) if text.isascii() else sum(map(_cell, text))


def _cell(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def chop(text: str, width: int) -> list[str]:
    """`text` cut into pieces of at most `width` cells: behind a space, slash or colon of a
    piece's second half where there is one, else anywhere. Nothing is left out."""
    pieces, start, narrow = [], 0, text.isascii()
    while (end := start + width if narrow else _reach(text, start, width)) < len(text):
        half = (start + end) // 2
        cut = max(text.rfind(mark, half, end) for mark in " /:") + 1 or end
        pieces.append(text[start:cut])
        start = cut
    return [*pieces, text[start:]]


def _reach(text: str, start: int, width: int) -> int:
    """Where a piece from `start` on must end: behind one character at least."""
    used = 0
    for i in range(start, len(text)):
        used += _cell(text[i])
        if used > width and i > start:
            return i
    return len(text)


def wrap(text: str, width: int) -> list[str]:
    """`text` broken at its spaces into lines of at most `width` cells; longer words are cut."""
    lines, line, used = [], "", 0
    for word in text.split():
        needs = cells(word)
        if line and used + 1 + needs <= width:
            line, used = f"{line} {word}", used + 1 + needs
            continue
        if line:
            lines.append(line)
        *full, line = chop(word, width)
        lines += full
        used = cells(line)
    return [*lines, line]


def labelled(label: str, text: str, width: int, indent: int, column: int) -> list[str]:
    """A paragraph that starts in `column`, behind its label in `indent`."""
    rows = wrap(text, width - column)
    first = f"{' ' * indent}{label}".ljust(column) + rows[0]
    return [first, *(" " * column + row for row in rows[1:])]


def table(head: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[list[str]]:
    """The lines of each row, the head first, in `width` cells.

    Every column is as wide as its widest cell if there is room.
    """
    natural = [max(map(cells, column)) for column in zip(head, *rows, strict=True)]
    widths = _fit(natural, width - 2 * (len(head) - 1))
    return [_row(row, widths) for row in (head, *rows)]


def _fit(natural: Sequence[int], room: int) -> list[int]:
    """Column widths that sum up to `room` at most. Narrow columns are served first, and leave
    `LEAST` cells to each that comes after them if they can."""
    widths = list(natural)
    waiting = sorted(range(len(widths)), key=natural.__getitem__)
    while waiting:
        i = waiting.pop(0)
        left = room - sum(min(natural[j], LEAST) for j in waiting)
        widths[i] = max(1, min(natural[i], max(left, room // (len(waiting) + 1))))
        room -= widths[i]
    return widths


def _row(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    columns = [wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
    lines = []
    for i in range(max(map(len, columns))):
        parts = [column[i] if i < len(column) else "" for column in columns]
        padded = (part + " " * (width - cells(part)) for part, width in zip(parts, widths, strict=True))
        lines.append("  ".join(padded).rstrip())
    return lines
