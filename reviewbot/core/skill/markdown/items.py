"""The items of a section, each with the lines that are its own.

An item opens by its own line, whatever CommonMark makes of the nesting: a fence or a continuation
that is not indented does not end the list that its author goes on numbering.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from reviewbot.core.skill.markdown.scan import LIST_MARK, Document
from reviewbot.core.skill.markdown.sections import Section


class Item(NamedTuple):
    """Lines `line`..`end`; `first` is the text of the first without its number or mark, with an LF
    where it is a paragraph of its own."""

    line: int
    end: int
    first: str


def from_list(
    doc: Document, section: Section, opened: Sequence[tuple[int, str]], stops: Collection[int] = ()
) -> list[Item]:
    """The items that open at these (line, text). Each ends before the next one, before a heading or
    one of `stops`; the last also where its list ends."""
    inner = {h.line for h in doc.headings_in(section.start, section.end)}
    items = spans(section, opened, inner.union(stops))
    if items:
        items[-1] = items[-1]._replace(end=doc.end_of_list(items[-1].line, items[-1].end))
    return items


def spans(section: Section, opened: Sequence[tuple[int, str]], stops: Collection[int]) -> list[Item]:
    edges = sorted({line for line, _ in opened}.union(stops, [section.end + 1]))
    after = dict(pairwise(edges))
    return [Item(line, after[line] - 1, first) for line, first in opened]


def text_of(doc: Document, item: Item) -> str:
    """The item as paragraphs, each on one line; its fences and tables as they stand."""
    return flow(doc, item.line + 1, item.end, item.first)


def flow(doc: Document, start: int, end: int, first: str = "") -> str:
    """The lines `start`..`end`, behind the text `first`, with their paragraphs joined."""
    rows = [[first.strip()]] if first else []
    joins = bool(first) and not first.endswith("\n")
    for number in range(start, end + 1):
        text = doc.line(number).strip()
        if number in doc.masked:
            rows.append([doc.line(number).rstrip()])
        elif joins and text and not LIST_MARK.match(text + " "):
            rows[-1].append(text)
        else:
            rows.append([text])
        joins = bool(text) and number not in doc.masked
    return "\n".join(" ".join(row) for row in rows).strip()
