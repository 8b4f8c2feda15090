"""Numbered items: as a list, whose numbers decide where an item opens, or as headings."""

from __future__ import annotations

import re
from bisect import bisect

from reviewbot.core.patterns import pattern
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.markdown.items import Item, from_list
from reviewbot.core.skill.markdown.scan import Document
from reviewbot.core.skill.markdown.sections import Role, Section, role_of
from reviewbot.core.skill.markdown.subheadings import from_headings, sub_headings

NUMBERED = pattern(r"( {0,3})(\d{1,3})[.)][ \t]+(?=\S)")
SIGN = r"(?:[.):]|\s+[\N{EM DASH}\N{EN DASH}-])[ \t]+"
NUMBERED_HEADING = pattern(rf"(?:[A-Z]?\d{{1,3}}|(?:Phase|Step) (?:\d{{1,3}}|[A-Z]\b)){SIGN}", re.IGNORECASE)
NEAR = 3  # a number this far from the expected one is a slip of the author, not "2024. was a good year"


def numbered_headings(doc: Document, section: Section, notes: Diagnostics) -> list[Item]:
    """`### 1. T`, `### A1. T`, `### Phase 2: T`; of a step that is a section itself also its own heading."""
    inner = sub_headings(doc, section)
    own = section.heading if section.role is Role.PROCEDURE else None
    if own and role_of(own.text) is not Role.PROCEDURE:
        inner = [h for h in (own, *doc.headings_in(section.start, section.end)) if h.level <= own.level]
    numbered = [(h, m.end()) for h in inner if (m := NUMBERED_HEADING.match(h.text))]
    return from_headings(doc, section, [(h, h.text[end:]) for h, end in numbered])


def numbered_items(doc: Document, section: Section, notes: Diagnostics) -> list[Item]:
    opened: list[tuple[int, str]] = []
    slips: list[tuple[int, int, str]] = []
    previous, inside, content = 0, 4, 0
    restarted = False
    for number in doc.free_lines(section.start, section.end):
        m = NUMBERED.match(doc.line(number))
        if not m or len(m[1]) >= inside:
            continue
        n = int(m[2])
        opens = not opened or n in (1, previous + 1)
        if not opens and abs(n - previous) <= NEAR:
            slips.append(
                (number, len(m[1]) + 1, f"{n} does not follow {previous}; read as text of item {previous}")
            )
        if opens:
            if n != previous + 1 and not restarted:
                restarted = True
                message = f"the numbers start at {n}{' again' if opened else ''}; read as items all the same"
                slips.append((number, len(m[1]) + 1, message))
            if not opened:
                inside, content = len(m[1]) + 2, m.end()  # a number indented so far is of an inner list
            opened.append((number, doc.line(number)[m.end() :]))
            previous = n
    if _are_details(doc, section, [line for line, _ in opened]):
        return []
    for slip in slips:
        notes.warn("S012", *slip)
    items = from_list(doc, section, opened)
    _warn_of_stitches(doc, items, content, notes)
    return items


def _are_details(doc: Document, section: Section, lines: list[int]) -> bool:
    """Whether these items are lists inside some of the section's sub-headings: then the sub-headings
    are the list, for those without numbers would get lost."""
    edges = [h.line for h in sub_headings(doc, section)]
    if not edges or not lines or lines[0] < edges[0]:
        return False
    filled = {bisect(edges, line) for line in lines}
    return len(filled) < len(edges)


def _warn_of_stitches(doc: Document, items: list[Item], indent: int, notes: Diagnostics) -> None:
    for item in items[:-1]:
        for fence in doc.fences_in(item.line, item.end):
            if fence.indent < indent:
                message = f"for Markdown this fence ends the list; indent it by {indent} spaces"
                notes.warn("S012", fence.line, fence.indent + 1, message)
                return
