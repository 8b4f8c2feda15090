"""What each part of a skill's Markdown is for, told by its headings."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from reviewbot.core.skill.markdown import Document, Heading


class Role(StrEnum):
    SCOPE = "scope"
    CLASSES = "classes"
    SUPPRESS = "suppress"
    PROCEDURE = "procedure"
    GATES = "gates"
    REPORT = "report"
    PROSE = "prose"


# Searched in the heading, lower-cased, without its number, emoji, brackets and what follows a comma.
ROLES = {
    Role.SUPPRESS: r"\b(?:do not|don't|never) (?:flag|comment|report)"
    r"|^what to (?:ignore|skip|deprioriti[sz]e)|\bfalse positives?|usually safe|out of scope|^non-?goals",
    Role.GATES: r"\bgates?\b|^mechanical checks|\bpreflight\b",
    Role.SCOPE: r"^(?:files?|paths?)(?: in scope| to review| covered)?$|^(?:in )?scope$|^applies to\b"
    r"|^what to review|^if the diff touches",
    Role.REPORT: r"^(?:report|reporting|output|deliverable|summary format)\b",
    Role.CLASSES: r"\b(?:defect|bug|issue|failure|smell|risk|anti-?pattern)s?(?: modes?| patterns?| classes)?"
    r"(?: to (?:hunt|flag|find|look for))?$|^what to (?:look for|check|prioriti[sz]e|flag|hunt)"
    r"|^(?:review )?(?:checklist|rules|areas)$",
    Role.PROCEDURE: r"\b(?:procedure|workflow|method|steps|process)\b",
}


class Section(NamedTuple):
    """The lines `start`..`end` under a heading, the headings below it included."""

    role: Role
    heading: Heading | None  # None: what stands before the first heading
    start: int
    end: int


def sections(doc: Document) -> tuple[Section, ...]:
    """The file from top to bottom. A heading inside a section that has a role stays a part of it,
    but for "do not report" below the defect classes."""
    found = []
    open_: list[tuple[int, Role]] = []  # the headings above, with their levels
    starts: list[tuple[Role, Heading | None]] = [(Role.PROSE, None)]
    for heading in doc.headings:
        while open_ and open_[-1][0] >= heading.level:
            open_.pop()
        outer = open_[-1][1] if open_ else Role.PROSE
        is_title = heading is doc.headings[0] and heading.level == 1
        role = Role.PROSE if is_title else _role(heading.text)
        if outer is not Role.PROSE and not (outer is Role.CLASSES and role is Role.SUPPRESS):
            role = outer
        # The last: back from a "do not report" to the classes around it.
        if role is not outer or outer is Role.PROSE or starts[-1][0] is not role:
            starts.append((role, heading))
        open_.append((heading.level, role))
    for index, (role, head) in enumerate(starts):
        following = starts[index + 1][1] if index + 1 < len(starts) else None
        end = following.line - 1 if following else len(doc.lines)
        found.append(Section(role, head, head.line + 1 if head else doc.start, end))
    return tuple(found)


def _role(title: str) -> Role:
    text = re.sub(r"^[\W\d_]+", "", title.lower())
    text = re.sub(r"^(?:phase|step|part) \d+\W+", "", text)
    text = re.split(r"[(,]", text, maxsplit=1)[0].strip(" *:#.")
    return next((role for role, pattern in ROLES.items() if re.search(pattern, text)), Role.PROSE)
