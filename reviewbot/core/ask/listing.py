"""One changed file as a list of rows: head's lines in order, with what was deleted where it stood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reviewbot.core.ask.legible import legible
from reviewbot.core.hunks import side_rows
from reviewbot.core.types import FileChange, Hunk, Side, Text


class Row(NamedTuple):
    mark: str  # " ", "+" or "-"
    old: int | None  # its line at base; None for an added one
    new: int | None  # its line at head; None for a deleted one
    text: str  # as it is shown

    def __str__(self) -> str:
        return f"{self.new or '':>4} {self.mark}{self.text}"


class Listing(NamedTuple):
    rows: tuple[Row, ...]
    whole: bool  # False: only the hunks are known, or agree with the text


def listing(file: FileChange, head: Text | None) -> Listing:
    """All rows of a file; of one whose text is not known, those of its hunks."""
    if head is not None and not head.partial and all(_fits(hunk, head) for hunk in file.hunks):
        return Listing(_whole(file, head), True)
    rows: list[Row] = []
    for hunk in file.hunks:
        rows += _rows(hunk, iter(_shown(hunk, Side.RIGHT)))
    return Listing(tuple(rows), False)


def _fits(hunk: Hunk, head: Text) -> bool:
    start = hunk.new_start - 1 if hunk.new_count else hunk.new_start
    rows = tuple(row.removesuffix("\r") for row in side_rows(hunk, Side.RIGHT))
    return head.lines[start : start + hunk.new_count] == rows


def _whole(file: FileChange, head: Text) -> tuple[Row, ...]:
    shown = legible(head.content).split("\n")[: len(head.lines)]
    rows: list[Row] = []
    at = 0  # lines of head that stand in `rows`
    more = 0  # lines that head has above them, and base has not
    for hunk in file.hunks:
        start = hunk.new_start - 1 if hunk.new_count else hunk.new_start
        rows += unchanged(shown, range(at, start), more)
        at = start + hunk.new_count
        more += hunk.new_count - hunk.old_count
        rows += _rows(hunk, iter(shown[start:at]))
    rows += unchanged(shown, range(at, len(shown)), more)
    return tuple(rows)


def unchanged(shown: Sequence[str], indices: range, more: int = 0) -> list[Row]:
    """Rows of a text that both sides have; at head they stand `more` lines further down."""
    return [Row(" ", n + 1 - more, n + 1, shown[n]) for n in indices]


def _rows(hunk: Hunk, new: Iterator[str]) -> list[Row]:
    old = iter(_shown(hunk, Side.LEFT))
    rows = []
    for line in hunk.lines():
        before = next(old) if line.mark != "+" else ""
        rows.append(Row(line.mark, line.old, line.new, before if line.mark == "-" else next(new)))
    return rows


def _shown(hunk: Hunk, side: Side) -> list[str]:
    """The rows of one side as they are shown, read together: a key has many lines."""
    rows = side_rows(hunk, side)
    return legible("\n".join(rows)).split("\n") if rows else []
