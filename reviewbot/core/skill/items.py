"""The items of a section: numbered, as numbered sub-headings, or as bullets in bold.

An item opens by its own line, whatever CommonMark makes of the nesting: a fence or a continuation
that is not indented does not end the list that its author goes on numbering.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.markdown import LIST_MARK, Document
from reviewbot.core.skill.sections import Section

NUMBERED = re.compile(r"( {0,3})(\d{1,3})[.)][ \t]+(?=\S)")
NUMBERED_HEADING = re.compile(r"[A-Z]?\d{1,3}[.):][ \t]+|(?:Phase|Step) \d{1,3}[.):][ \t]+")
BOLD_BULLET = re.compile(r"( {0,3})[-*+][ \t]+(?:\[[ xX]\][ \t]+)?(?=\*\*)")
NEAR = 3  # a number this far from the expected one is a slip of the author, not "2024. was a good year"


class Item(NamedTuple):
    """Lines `line`..`end`; `first` is the text of the first without its number or mark, with an LF
    where it is a paragraph of its own."""

    line: int
    end: int
    first: str


def numbered_headings(doc: Document, section: Section, notes: Diagnostics) -> list[Item]:
    level = section.heading.level if section.heading else 0
    inner = [h for h in doc.headings_in(section.start, section.end) if h.level == level + 1]
    numbered = [(h, m.end()) for h in inner if (m := NUMBERED_HEADING.match(h.text))]
    opened = [(h.line, f"**{h.text[end:].strip('*')}**\n") for h, end in numbered]
    return _spans(doc, section, opened, {h.line for h in inner})


def numbered_items(doc: Document, section: Section, notes: Diagnostics) -> list[Item]:
    opened: list[tuple[int, str]] = []
    previous, inside, content = 0, 4, 0
    slip = ""
    for number in _free_lines(doc, section):
        m = NUMBERED.match(doc.line(number))
        if not m or len(m[1]) >= inside:
            continue
        n = int(m[2])
        opens = not opened or n in (1, previous + 1)
        if not opens and abs(n - previous) <= NEAR:
            message = f"{n} does not follow {previous}; read as text of item {previous}"
            notes.warn("S012", number, len(m[1]) + 1, message)
        if opens:
            if not slip and n != previous + 1:
                slip = f"the numbers start at {n}{' again' if opened else ''}; read as items all the same"
                notes.warn("S012", number, len(m[1]) + 1, slip)
            if not opened:
                inside, content = len(m[1]) + 2, m.end()  # a number indented so far is of an inner list
            opened.append((number, doc.line(number)[m.end() :]))
            previous = n
    items = _spans(doc, section, opened, {h.line for h in doc.headings_in(section.start, section.end)})
    _warn_of_stitches(doc, items, content, notes)
    return items


def bold_bullets(doc: Document, section: Section, notes: Diagnostics) -> list[Item]:
    opened = []
    inside = 4
    for number in _free_lines(doc, section):
        m = BOLD_BULLET.match(doc.line(number))
        if m and len(m[1]) < inside:
            inside = len(m[1]) + 2
            opened.append((number, doc.line(number)[m.end() :]))
    return _spans(doc, section, opened, {h.line for h in doc.headings_in(section.start, section.end)})


Form = Callable[[Document, Section, Diagnostics], list[Item]]
FORMS: tuple[Form, ...] = (numbered_headings, numbered_items, bold_bullets)


def items_of(doc: Document, section: Section, notes: Diagnostics) -> list[Item]:
    """The items by the first form that yields any."""
    return next((items for form in FORMS if (items := form(doc, section, notes))), [])


def _free_lines(doc: Document, section: Section) -> list[int]:
    return [n for n in range(section.start, section.end + 1) if n not in doc.masked]


def _spans(doc: Document, section: Section, opened: list[tuple[int, str]], stops: set[int]) -> list[Item]:
    """An item ends before the next one, or before a heading. The last also ends where an unindented
    paragraph follows a blank line: that is text behind the list, as far as anyone can tell."""
    items = []
    edges = sorted({line for line, _ in opened} | stops | {section.end + 1})
    after = dict(pairwise(edges))
    for line, first in opened:
        end = after[line] - 1
        if line == opened[-1][0] and line not in stops:
            end = _end_of_list(doc, line, end)
        items.append(Item(line, end, first))
    return items


def _end_of_list(doc: Document, line: int, end: int) -> int:
    for number in range(line + 1, end):
        following = doc.line(number + 1)
        flush = following[:1].strip() and number + 1 not in doc.masked and not LIST_MARK.match(following)
        if doc.blank(number) and flush:
            return number - 1
    return end


def _warn_of_stitches(doc: Document, items: list[Item], indent: int, notes: Diagnostics) -> None:
    for item in items[:-1]:
        for fence in doc.fences_in(item.line, item.end):
            if fence.indent < indent:
                message = f"for Markdown this fence ends the list; indent it by {indent} spaces"
                notes.warn("S012", fence.line, fence.indent + 1, message)
                return


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
