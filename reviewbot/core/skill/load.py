"""The bytes of a SKILL.md as a Skill, and everything that was noticed on the way.

The grammar is the one people already write: front matter, a table of files in scope, a list of
defect classes, a procedure with its gates, the form of the report. Nothing in the file is executed
or granted here. Hostile files cost little: the size is capped, and each step is linear in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

from reviewbot.core.skill.choice import speaks_of_review
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.front import frontmatter
from reviewbot.core.skill.front.manifest import name_and_description
from reviewbot.core.skill.front.pins import read_pins
from reviewbot.core.skill.markdown.forms import items_of
from reviewbot.core.skill.markdown.items import text_of
from reviewbot.core.skill.markdown.prose import guidance_of, report_of
from reviewbot.core.skill.markdown.scan import HEADING, Document, Fence, is_delimiter, scan
from reviewbot.core.skill.markdown.sections import Role, Section, sections
from reviewbot.core.skill.parts.classes import read_classes
from reviewbot.core.skill.parts.gatefence import gate_fences, gates_in
from reviewbot.core.skill.parts.references import check_references
from reviewbot.core.skill.parts.scopetable import read_scope
from reviewbot.core.skill.parts.unread import warn_of_unread_list
from reviewbot.core.skill.text import decode
from reviewbot.core.types import Diagnostic, Skill, SkillOrigin

LISTS = (Role.CLASSES, Role.SUPPRESS, Role.PROCEDURE)
MAX_LISTS = 500
NEEDS_ITS_FENCES = (Role.CLASSES, Role.SUPPRESS, Role.SCOPE, Role.GATES)


def load_skill(
    path: str, data: bytes, origin: SkillOrigin, beside: Collection[str] | None = None
) -> tuple[Skill | None, tuple[Diagnostic, ...]]:
    """The skill, or None where one of the diagnostics is an error. Never raises for what `data` holds.

    `beside` are the paths of the other files in the skill's folder, relative to it; None where nobody
    looked: then references are not checked. Only a file that the user names, and a REVIEW.md, may do
    without front matter.
    """
    notes = Diagnostics(path)
    lines = decode(data, notes)
    bare = origin is SkillOrigin.PATH or path.rsplit("/", 1)[-1].lower() == "review.md"
    front = frontmatter.read(lines, notes, optional=bare) if lines is not None else None
    if lines is None or front is None or notes.failed:
        return None, notes.sorted()
    doc = scan(lines, front.end + 1)
    name, description = name_and_description(path, front, doc, notes)
    parts = sections(doc)
    listed = [part for part in parts if part.role in LISTS]
    if len(listed) > MAX_LISTS:
        notes.error("S012", listed[MAX_LISTS].start, 1, f"more than {MAX_LISTS} lists of classes or steps")
        return None, notes.sorted()
    lists = {part: items_of(doc, part, notes) for part in listed}
    fences = gate_fences(doc, parts)
    _check_blocks(doc, parts, fences, notes)
    check_references(doc, beside, notes)
    scope = read_scope(doc, parts, front, notes)
    skill = Skill(
        name,
        description,
        path,
        origin,
        hash=hashlib.sha256(data).hexdigest()[:12],
        scope=scope,
        classes=read_classes(doc, lists, notes),
        steps=tuple(
            text_of(doc, item) for part in lists if part.role is Role.PROCEDURE for item in lists[part]
        ),
        gates=gates_in(doc, front, fences, scope, notes),
        report=report_of(doc, parts),
        guidance=guidance_of(doc, parts, lists, fences),
    )
    skill = skill._replace(pins=read_pins(lines, front, skill.classes, notes))
    if speaks_of_review(skill):
        warn_of_unread_list(doc, parts, notes)
    if not skill.classes:
        notes.info("S109", max(front.end, 1), 1, "no defect classes: only a model can follow this skill")
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
