"""The forms in which people list defect classes, from the clearest to the least clear."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.markdown.items import Item, from_list
from reviewbot.core.skill.markdown.numbered import numbered_headings, numbered_items
from reviewbot.core.skill.markdown.scan import Cell, Document, Table
from reviewbot.core.skill.markdown.sections import Role, Section
from reviewbot.core.skill.markdown.severity import COLUMN
from reviewbot.core.skill.markdown.subheadings import from_headings, sub_headings

BULLET = pattern(r"( {0,3})[-*+\N{BULLET}][ \t]+(?P<box>\[[ xX]\][ \t]+)?(?=\S)(?![-*+ \t]+$)")
# A first column of these is about the reviewer's tools, or about files: no row of it is a defect.
NO_TITLES = pattern(
    r"(?:files?|paths?|agents?|arg(?:ument)?s?|commands?|flags?|options?|tools?|skills?|references?|steps?|phases?"
    r"|score|verdict|status|modes?|inputs?|severity|priority|level|if .*|when .*)$",
    re.IGNORECASE,
)
NUMBER_COLUMN = pattern(r"(?:#|no\.?|nr\.?|id|rank|)$", re.IGNORECASE)
FIX_COLUMN = pattern(r"(?:fix|remedy|instead|do instead|what to do|correct(?:ion)?)$", re.IGNORECASE)
# "[File:Line] what is wrong", "<title>": the form of a report, to be filled in. A link is not.
TEMPLATE = pattern(
    r"\**(?:\[[^\]]{0,60}\b(?:file|line|path|title|description|issue|finding|summary|name)\b[^\]]{0,60}\](?!\()"
    r"|\[[^\]]{0,120}\]\W*$|<[^<>]{0,120}>\W*$|\{[^{}]{0,120}\}\W*$)",
    re.IGNORECASE,
)

Form = Callable[[Document, Section, Diagnostics], list[Item]]


class Bullet(NamedTuple):
    line: int
    box: bool
    text: str


def items_of(doc: Document, section: Section, notes: Diagnostics) -> list[Item]:
    """The items by the first form that yields any."""
    forms = STEP_FORMS if section.role is Role.PROCEDURE else CLASS_FORMS
    items = next((items for form in forms if (items := form(doc, section, notes))), [])
    template = next((item for item in items if TEMPLATE.match(item.first)), None)
    if template and section.role is not Role.PROCEDURE:
        message = "this list looks like the form of a report; no defect class is read from it"
        notes.warn("S012", template.line, 1, message)
        return []
    return items


def plain_headings(doc: Document, section: Section, notes: Diagnostics) -> list[Item]:
    return from_headings(doc, section, [(h, h.text) for h in sub_headings(doc, section)])


def bold_bullets(doc: Document, section: Section, notes: Diagnostics) -> list[Item]:
    return _bullets(doc, section, lambda bullet: bullet.text.startswith("**"))


def check_boxes(doc: Document, section: Section, notes: Diagnostics) -> list[Item]:
    return _bullets(doc, section, lambda bullet: bullet.box)


def plain_bullets(doc: Document, section: Section, notes: Diagnostics) -> list[Item]:
    return _bullets(doc, section, lambda bullet: True)


def _bullets(doc: Document, section: Section, wanted: Callable[[Bullet], bool]) -> list[Item]:
    """All bullets of the lists in which one is wanted: siblings are not left out for their dress."""
    lists = [found for found in _lists(doc, section) if any(wanted(bullet) for bullet in found[0])]
    opened = [(bullet.line, bullet.text) for bullets, _ in lists for bullet in bullets]
    return from_list(doc, section, opened, [end + 1 for _, end in lists])


def _lists(doc: Document, section: Section) -> Iterator[tuple[list[Bullet], int]]:
    """The outermost bullets of each list, and its last line."""
    headings = [*(h.line for h in doc.headings_in(section.start, section.end)), section.end + 1]
    bullets: list[Bullet] = []
    inside, end = 0, 0
    for number in doc.free_lines(section.start, section.end):
        m = BULLET.match(doc.line(number))
        if not m:
            continue
        if number > end:
            if bullets:
                yield bullets, end
            below = headings[bisect(headings, number)] - 1
            bullets, inside, end = [], 4, doc.end_of_list(number, below)
        if len(m[1]) < inside:
            inside = len(m[1]) + 2
            bullets.append(Bullet(number, bool(m["box"]), doc.line(number)[m.end() :]))
    if bullets:
        yield bullets, end


def table_rows(doc: Document, section: Section, notes: Diagnostics) -> list[Item]:
    return [item for table in doc.tables_in(section.start, section.end) for item in _rows(table, notes)]


def _rows(table: Table, notes: Diagnostics) -> Iterator[Item]:
    names = [cell.text.strip("*`: ") for cell in table.header]
    title = 1 if NUMBER_COLUMN.match(names[0]) and len(names) > 1 else 0
    if NO_TITLES.match(names[title]):
        return
    for line, cells in table.rows:
        if len(cells) != len(names):
            message = f"this row has {len(cells)} cells, the table {len(names)} columns"
            notes.warn("S107", line, cells[0].col, message)
        if title < len(cells) and (text := cells[title].text.replace("*", "")):
            rest = [
                _field(name, cell) for name, cell in zip(names[title + 1 :], cells[title + 1 :], strict=False)
            ]
            yield Item(line, line, "\n".join([f"**{text}**", *filter(None, rest)]))


def _field(name: str, cell: Cell) -> str:
    label = "Severity" if COLUMN.match(name) else "Fix" if FIX_COLUMN.match(name) else name
    return f"{label}: {cell.text}" if cell.text else ""


TITLED_FORMS: tuple[Form, ...] = (numbered_headings, numbered_items, plain_headings, bold_bullets)
CLASS_FORMS: tuple[Form, ...] = (*TITLED_FORMS, check_boxes, table_rows, plain_bullets)
STEP_FORMS: tuple[Form, ...] = (numbered_headings, numbered_items, bold_bullets)
