"""The blocks of a Markdown file that a skill is made of, found line by line: fences, tables, headings.

No CommonMark tree is built. Its nesting loses what skill authors mean (a list is ended by a fence
that is not indented, and "6." cannot interrupt a paragraph), and markdown-it-py costs about 80 ms
to import, where this scan needs none. Every step is linear in the file.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from reviewbot.core.patterns import pattern

FENCE = pattern(r"[ \t]*(`{3,}|~{3,})(.*)")
HEADING = pattern(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
UNDERLINE = pattern(r" {0,3}(?:=+|-+)[ \t]*$")
LIST_MARK = pattern(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")


class Fence(NamedTuple):
    """A fenced block: `line` opens it, `end` closes it (or is the last line of the file)."""

    line: int
    end: int
    indent: int
    info: str
    closed: bool

    @property
    def language(self) -> str:
        return self.info.split(maxsplit=1)[0].lower() if self.info else ""


class Heading(NamedTuple):
    line: int
    level: int
    text: str


class Cell(NamedTuple):
    col: int
    text: str


class Table(NamedTuple):
    """`line` is the header row; the delimiter row follows it."""

    line: int
    end: int
    header: tuple[Cell, ...]
    rows: tuple[tuple[int, tuple[Cell, ...]], ...]


class Document(NamedTuple):
    """`lines[n - 1]` is line n of the file; the Markdown starts at line `start`."""

    lines: Sequence[str]
    start: int
    fences: tuple[Fence, ...]
    tables: tuple[Table, ...]
    headings: tuple[Heading, ...]
    masked: frozenset[int]  # lines of fences, tables and headings: nothing else opens there

    def line(self, number: int) -> str:
        return self.lines[number - 1]

    def blank(self, number: int) -> bool:
        return not self.lines[number - 1].strip()

    def fences_in(self, start: int, end: int) -> Sequence[Fence]:
        return _within(self.fences, start, end)

    def tables_in(self, start: int, end: int) -> Sequence[Table]:
        return _within(self.tables, start, end)

    def headings_in(self, start: int, end: int) -> Sequence[Heading]:
        return _within(self.headings, start, end)

    def free_lines(self, start: int, end: int) -> Iterator[int]:
        return (number for number in range(start, end + 1) if number not in self.masked)

    def end_of_paragraph(self, line: int) -> int:
        while line < len(self.lines) and line + 1 not in self.masked and not self.blank(line + 1):
            line += 1
        return line

    def end_of_list(self, line: int, end: int) -> int:
        """The last line of the list that has an item at `line`: it ends at `end`, or before an
        unindented paragraph that follows a blank line, which is text behind it as far as anyone can tell."""
        for number in range(line + 1, end):
            following = self.line(number + 1)
            flush = following[:1].strip() and number + 1 not in self.masked
            if flush and self.blank(number) and not LIST_MARK.match(following):
                return number - 1
        return end


Block = TypeVar("Block", Fence, Table, Heading)


def _within(blocks: Sequence[Block], start: int, end: int) -> Sequence[Block]:
    """Those that open in the lines `start`..`end`; by bisection, for there may be 10,000 sections."""
    low = bisect_left(blocks, start, key=lambda b: b.line)
    return blocks[low : bisect_right(blocks, end, low, key=lambda b: b.line)]


def scan(lines: Sequence[str], start: int = 1) -> Document:
    fences: list[Fence] = []
    tables: list[Table] = []
    headings: list[Heading] = []
    number = start
    while number <= len(lines):
        if fence := _fence(lines, number):
            fences.append(fence)
            number = fence.end + 1
        elif table := _table(lines, number):
            tables.append(table)
            number = table.end + 1
        else:
            if heading := _heading(lines, number, start):
                headings.append(heading)
            number += 1
    masked = {heading.line for heading in headings}
    for first, last in [(f.line, f.end) for f in fences] + [(t.line, t.end) for t in tables]:
        masked.update(range(first, last + 1))
    return Document(lines, start, tuple(fences), tuple(tables), tuple(headings), frozenset(masked))


def _fence(lines: Sequence[str], number: int) -> Fence | None:
    line = lines[number - 1]
    opened = FENCE.match(line)
    if not opened or (opened[1][0] == "`" and "`" in opened[2]):
        return None
    indent = len(line) - len(line.lstrip())
    for end in range(number + 1, len(lines) + 1):
        closing = lines[end - 1].strip()
        if len(closing) >= len(opened[1]) and not closing.strip(opened[1][0]):
            return Fence(number, end, indent, opened[2].strip(), closed=True)
    return Fence(number, len(lines), indent, opened[2].strip(), closed=False)


def _table(lines: Sequence[str], number: int) -> Table | None:
    if "|" not in lines[number - 1] or number >= len(lines) or not is_delimiter(lines[number]):
        return None
    columns = len(split_row(lines[number]))
    header = split_row(lines[number - 1], columns)
    if len(header) != columns:
        return None
    end = number + 1
    while end < len(lines) and "|" in lines[end] and not FENCE.match(lines[end]):
        end += 1
    rows = tuple((n, split_row(lines[n - 1], columns)) for n in range(number + 2, end + 1))
    return Table(number, end, header, rows)


def is_delimiter(line: str) -> bool:
    """Whether this is the `|---|:-:|` row of a table, whatever stands around it."""
    text = line.strip()
    if "|" not in text or "-" not in text or text.strip("|-: \t"):
        return False
    return all(re.fullmatch(r":?-+:?", cell.text) for cell in split_row(text))


def split_row(line: str, columns: int = 0) -> tuple[Cell, ...]:
    """The cells of a table row. A pipe in a code span belongs to the cell, although GitHub cuts
    there, unless only cutting there gives as many cells as the table has columns."""
    cells = _cut(line, without_code(line))
    if "`" in line and len(cells) != columns:
        at_every_pipe = _cut(line, line)
        if len(at_every_pipe) == columns:
            return at_every_pipe
    return cells


def without_code(line: str) -> str:
    """The line with its code spans blanked, at the same length."""
    out, at = [], 0
    for start, end in code_spans(line):
        out += [line[at:start], " " * (end - start)]
        at = end
    return "".join([*out, line[at:]])


def _cut(line: str, looked_at: str) -> tuple[Cell, ...]:
    edges = [-1, *(m.start() for m in re.finditer(r"(?<!\\)\|", looked_at)), len(line)]
    cells = []
    for left, right in pairwise(edges):
        text = line[left + 1 : right]
        col = left + 2 + len(text) - len(text.lstrip())
        cells.append(Cell(col, text.strip().replace("\\|", "|")))
    if len(cells) > 1 and not cells[0].text:
        del cells[0]
    if len(cells) > 1 and not cells[-1].text:
        del cells[-1]
    return tuple(cells)


def code_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of each code span, its backticks included, as text[start:end]."""
    runs = [(m.start(), m.end()) for m in re.finditer(r"`+", text)]
    closers: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        closers.setdefault(runs[index][1] - runs[index][0], []).append(index)
    spans = []
    index = 0
    while index < len(runs):
        start, end = runs[index]
        later = closers[end - start]
        while later and later[-1] <= index:
            later.pop()
        if later:
            index = later[-1]
            spans.append((start, runs[index][1]))
        index += 1
    return spans


def _heading(lines: Sequence[str], number: int, start: int) -> Heading | None:
    line = lines[number - 1]
    if m := HEADING.match(line):
        text = (m[2] or "").rstrip()
        closed = text.rstrip("#")
        return Heading(number, len(m[1]), closed.rstrip() if closed[-1:] in ("", " ", "\t") else text)
    # Underlined: one line of text on its own, then === or ---.
    if number < len(lines) and line.strip() and UNDERLINE.match(lines[number]):
        alone = number == start or not lines[number - 2].strip()
        if alone and not LIST_MARK.match(line) and not UNDERLINE.match(line):
            return Heading(number, 1 if "=" in lines[number] else 2, line.strip())
    return None
