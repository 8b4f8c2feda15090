"""The changed files of a scope, dealt into chunks that one question can show.

A file stays whole where it fits, then a stretch (a function, a few lines around a change) does, and a
stretch that is longer than a chunk is cut between lines, where a block begins if it can be. Each changed
row is shown once; what is not shown is said. No row is shown twice but unchanged signatures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from reviewbot.core.ask.legible import ForgedFence, fenced, is_cut
from reviewbot.core.ask.render import GAP, Page, page
from reviewbot.core.types import Change, Texts

CHARACTERS = 3.2  # of code for one token; an estimate, since no tokenizer comes with the SDK
PIECES = 8  # of one file; what is behind them is a file that nobody reads line by line


class LeftOut(NamedTuple):
    """What of a file in scope no question shows; each is an entry of `incomplete`."""

    path: str
    lines: str  # "line 12", "lines 12-80", "" for all of it
    why: str


class Chunk(NamedTuple):
    paths: tuple[str, ...]  # sorted
    text: str  # a fenced block for each file


class Chunks(NamedTuple):
    chunks: tuple[Chunk, ...]
    left_out: tuple[LeftOut, ...]


class _Piece(NamedTuple):
    path: str
    text: str  # in its fence


def chunked(change: Change, paths: Iterable[str], head: Texts, budget: int, nonce: str) -> Chunks:
    """The files at `paths` in chunks of at most `budget` tokens each, in the order of their names."""
    wanted, files = set(paths), {file.path: file for file in change.files}
    room = int((budget - 1) * CHARACTERS)
    pieces: list[_Piece] = []
    left: list[LeftOut] = []
    for path in sorted(wanted & files.keys()):
        if files[path].unread:
            left.append(LeftOut(path, "", files[path].unread))
            continue
        shown = page(files[path], head.files.get(path))
        try:
            made, over = _pieces(shown, room, nonce)
        except ForgedFence as forged:
            left.append(LeftOut(path, "", str(forged)))
            continue
        pieces += made
        left += over
    return Chunks(tuple(_packed(pieces, room)), tuple(left))


def _packed(pieces: Sequence[_Piece], room: int) -> Iterator[Chunk]:
    """Neighbours together, as long as there is room."""
    group: list[_Piece] = []
    size = 0
    for piece in pieces:
        if group and size + len(piece.text) + 1 > room:
            yield _chunk(group)
            group, size = [], 0
        group.append(piece)
        size += len(piece.text) + 1
    if group:
        yield _chunk(group)


def _chunk(group: Sequence[_Piece]) -> Chunk:
    return Chunk(tuple(dict.fromkeys(p.path for p in group)), "\n".join(p.text for p in group))


def _pieces(shown: Page, room: int, nonce: str) -> tuple[list[_Piece], list[LeftOut]]:
    """One file in as few pieces as may be, and what of it is left out."""
    path = shown.file.path
    parts = _parts(shown, room - len(fenced("change", "", nonce, path)) - _said_at_most(shown))
    pieces: list[_Piece] = []
    left: list[LeftOut] = []
    for part in parts[:PIECES] or [[]]:
        text = fenced("change", shown.text(part), nonce, path)
        if len(text) > room:
            left.append(LeftOut(path, _lines(shown, part), "it does not fit into a question"))
            continue
        pieces.append(_Piece(path, text))
        cut = (i for i in part if shown.rows[i].mark != " " and is_cut(shown.rows[i].text))
        left += (LeftOut(path, _lines(shown, [i]), "too long to be shown whole") for i in cut)
    over = (
        LeftOut(path, _lines(shown, part), f"it takes more than {PIECES} questions")
        for part in parts[PIECES:]
    )
    return pieces, [*left, *over]


def _said_at_most(shown: Page) -> int:
    return len(shown.text(())) + 80  # with the counts of all rows instead of none


def _parts(shown: Page, room: int) -> list[list[int]]:
    """Indices of rows, as many as fit together."""
    parts: list[list[int]] = []
    size = room + 1
    for rows in _cut(shown, room):
        cost = _cost(shown, rows, rows.start)
        if size + cost > room:
            parts.append([])
            size = 0
        parts[-1] += (*shown.lead(rows.start), *rows)
        size += cost
    return parts


def _cost(shown: Page, rows: Iterable[int], first: int | None = None) -> int:
    """Characters of rows; with `first`, of what stands before them too, and of gaps."""
    lead = () if first is None else shown.lead(first)
    size = sum(len(str(shown.rows[i])) + 1 for i in (*lead, *rows))
    return size if first is None else size + (len(GAP) + 1) * (len(lead) + 2)


def _cut(shown: Page, room: int) -> Iterator[range]:
    """The stretches, longer ones in several that fit."""
    for rows in shown.stretches:
        while rows:
            end, cost = rows.start, _cost(shown, (), rows.start)
            while end < rows.stop and (cost := cost + _cost(shown, (end,))) <= room:
                end += 1
            end = max(end, rows.start + 1)
            if end < rows.stop:
                end = _border(shown, range(rows.start + 1, end + 1))
            yield range(rows.start, end)
            rows = range(end, rows.stop)


def _border(shown: Page, ends: range) -> int:
    """The last row in the second half of `ends` with which a block begins: not indented, behind a blank
    line. Without one, the last of all."""
    half = ends.start + len(ends) // 2
    for i in range(ends.stop - 1, half - 1, -1):
        before, text = shown.rows[i - 1].text, shown.rows[i].text
        if not before.strip() and text[:1].strip():
            return i
    return ends.stop - 1


def _lines(shown: Page, indices: Sequence[int]) -> str:
    """The lines at head of rows, in words."""
    numbers = [new for i in indices if (new := shown.rows[i].new)]
    if not numbers:
        return f"{len(indices)} deleted line{'s' if len(indices) > 1 else ''}"
    first, last = min(numbers), max(numbers)
    return f"line {first}" if first == last else f"lines {first}-{last}"
