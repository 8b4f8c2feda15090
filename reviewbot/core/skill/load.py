"""The bytes of a SKILL.md as a Skill, and everything that was noticed on the way.

The grammar is the one people already write: front matter, a table of files in scope, numbered
defect classes, a procedure with its gates, the form of the report. Nothing in the file is executed
or granted here. Hostile files cost little: the size is capped, and each step is linear in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from reviewbot.core.skill import frontmatter
from reviewbot.core.skill.classes import read_classes
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.gatefence import gate_fences, gates_in
from reviewbot.core.skill.items import Item, flow, items_of, text_of
from reviewbot.core.skill.manifest import name_and_description
from reviewbot.core.skill.markdown import HEADING, Document, Fence, is_delimiter, scan
from reviewbot.core.skill.scopetable import read_scope
from reviewbot.core.skill.sections import Role, Section, sections
from reviewbot.core.skill.text import decode
from reviewbot.core.types import Diagnostic, Skill, SkillOrigin

LISTS = (Role.CLASSES, Role.SUPPRESS, Role.PROCEDURE)
NEEDS_ITS_FENCES = (Role.CLASSES, Role.SUPPRESS, Role.SCOPE, Role.GATES)
Lists = Mapping[Section, Sequence[Item]]


def load_skill(path: str, data: bytes, origin: SkillOrigin) -> tuple[Skill | None, tuple[Diagnostic, ...]]:
    """The skill, or None where one of the diagnostics is an error. Never raises for what `data` holds."""
    notes = Diagnostics(path)
    lines = decode(data, notes)
    front = frontmatter.read(lines, notes) if lines is not None else None
    if lines is None or front is None or notes.failed:
        return None, notes.sorted()
    name, description = name_and_description(path, front, notes)
    doc = scan(lines, front.end + 1)
    parts = sections(doc)
    lists = {part: items_of(doc, part, notes) for part in parts if part.role in LISTS}
    fences = gate_fences(doc, parts)
    _check_blocks(doc, parts, fences, notes)
    skill = Skill(
        name,
        description,
        path,
        origin,
        hash=hashlib.sha256(data).hexdigest()[:12],
        scope=read_scope(doc, parts, front, notes),
        classes=read_classes(doc, lists, notes),
        steps=tuple(
            text_of(doc, item) for part in lists if part.role is Role.PROCEDURE for item in lists[part]
        ),
        gates=gates_in(doc, fences, notes),
        report="\n\n".join(flow(doc, part.start, part.end) for part in parts if part.role is Role.REPORT),
        guidance=_guidance(doc, parts, lists, fences),
    )
    if not skill.classes:
        notes.info("S109", front.end, 1, "no defect classes: only a model can follow this skill")
    return (None if notes.failed else skill._replace(diagnostics=notes.sorted())), notes.sorted()


def _check_blocks(
    doc: Document, parts: Sequence[Section], fences: Sequence[Fence], notes: Diagnostics
) -> None:
    """An unclosed fence hides what follows it: an error where that may be a rule."""
    for fence in (fence for fence in doc.fences if not fence.closed):
        role = next(part.role for part in reversed(parts) if part.start <= fence.line)
        hides = any(HEADING.match(doc.line(n)) for n in range(fence.line + 1, fence.end + 1))
        say = notes.error if hides or fence in fences or role in NEEDS_ITS_FENCES else notes.warn
        say("S007", fence.line, fence.indent + 1, "this fence is never closed")
    for number in range(doc.start, len(doc.lines) + 1):
        if number not in doc.masked and is_delimiter(doc.line(number)):
            message = "a delimiter row without a table: the row above must have as many cells"
            notes.warn("S107", number, 1, message)


def _guidance(doc: Document, parts: Sequence[Section], lists: Lists, fences: Sequence[Fence]) -> str:
    """What no other field of the skill holds, in the order of the file."""
    blocks = [(fence.line, fence.end) for fence in fences]
    blocks += [(item.line, item.end) for items in lists.values() for item in items]
    for part in parts:
        if part.role is Role.REPORT:
            blocks.append((part.start, part.end))
        elif part.role is Role.SCOPE:
            blocks += [(table.line, table.end) for table in doc.tables_in(part.start, part.end)]
        if part.heading and part.role is not Role.PROSE:
            blocks.append((part.heading.line, part.heading.line))
    rest = []
    line = doc.start
    for start, end in [*sorted(blocks), (len(doc.lines) + 1, len(doc.lines) + 1)]:
        rest.append(flow(doc, line, start - 1))
        line = max(line, end + 1)
    return "\n\n".join(text for text in rest if text)
