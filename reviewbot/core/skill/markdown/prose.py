"""The prose of a skill: the form of its report, and what no other part of it holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from reviewbot.core.skill.markdown.items import Item, flow
from reviewbot.core.skill.markdown.scan import Document, Fence
from reviewbot.core.skill.markdown.sections import Role, Section, role_of


def report_of(doc: Document, parts: Sequence[Section]) -> str:
    """The report sections; where there are none, the steps that are headed so."""
    found = [(part.start, part.end) for part in parts if part.role is Role.REPORT]
    for part in [] if found else [part for part in parts if part.role is Role.PROCEDURE]:
        top = part.heading.line if part.heading else part.start
        edges = [*doc.headings_in(top, part.end), None]
        for heading, following in pairwise(edges):
            if heading and role_of(heading.text) is Role.REPORT:
                found.append((heading.line + 1, following.line - 1 if following else part.end))
    return "\n\n".join(flow(doc, start, end) for start, end in found)


def guidance_of(
    doc: Document,
    parts: Sequence[Section],
    lists: Mapping[Section, Sequence[Item]],
    gates: Sequence[Fence],
) -> str:
    """What no other field of the skill holds, in the order of the file."""
    taken = frozenset(gates)
    rest = [_rest(doc, part, lists.get(part, ()), taken) for part in parts if part.role is not Role.REPORT]
    return "\n\n".join(text for text in rest if text)


def _rest(doc: Document, part: Section, items: Sequence[Item], gates: Collection[Fence]) -> str:
    """The prose of a section, under its heading where that says what to make of it."""
    blocks = [(item.line, item.end) for item in items]
    for table in doc.tables_in(part.start, part.end):
        if part.role is Role.SCOPE or any(table.line < item.line <= table.end for item in items[:1]):
            blocks.append((table.line, table.end))
    blocks += [(f.line, f.end) for f in doc.fences_in(part.start, part.end) if f in gates]
    rest = []
    line = part.start
    for start, end in [*sorted(blocks), (part.end + 1, part.end + 1)]:
        rest.append(flow(doc, line, start - 1))
        line = max(line, end + 1)
    text = "\n\n".join(text for text in rest if text)
    says = part.role is Role.PROSE or (text and not items and part.role in (Role.SUPPRESS, Role.CLASSES))
    return f"{doc.line(part.heading.line)}\n\n{text}".strip() if part.heading and says else text
