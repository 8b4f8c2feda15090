"""What each part of a skill's Markdown is for, told by its headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.skill.markdown.scan import LIST_MARK, Document, Heading


class Role(StrEnum):
    SCOPE = "scope"
    CLASSES = "classes"
    SUPPRESS = "suppress"
    PROCEDURE = "procedure"
    GATES = "gates"
    REPORT = "report"
    PROSE = "prose"


WANTED = r"(?:to|we) (?:look for|hunt|find|check|flag|prioriti[sz]e)"
KINDS = r"(?:modes|patterns|classes|categories|types|areas)"
# What lists defects and cannot be a step of a procedure. Bare "issues" and the like are not among them.
CATALOGUE = (
    rf"\bchecklist\b|^(?:what|things) {WANTED}"
    r"|^(?:review|audit|focus) (?:areas|categories|criteria|dimensions)$"
    rf"|\b(?:defect|bug|issue|failure|smell|risk|anti-?pattern) {KINDS}\b|\banti-?patterns\b"
)
# Searched in the heading, lower-cased, without its number, emoji, brackets and what follows a comma.
ROLES = {
    Role.SUPPRESS: r"\b(?:do not|don't|never|what not to) (?:flag|comment|report)\b"
    r"(?!.*\b(?:before|except|if|unless|until|when|without)\b)"
    r"|^(?:what|things) to (?:ignore|skip|deprioriti[sz]e)|^(?:known |common |honest )?false positives?\b"
    r"|\busually safe\b|\bout of scope|^non-?goals",
    Role.GATES: r"\bgates?\b|\bmechanical\b|\bpre-?flight\b",
    Role.SCOPE: r"^(?:files?|paths?)(?: in scope| to review| reviewed| covered)?$|^(?:in )?scope$"
    r"|^applies to\b|^what to review|^if the diff touches",
    Role.REPORT: r"^(?:review |final )?(?:report|reporting|output|deliverable)\b|^summary format\b",
    Role.CLASSES: rf"{CATALOGUE}|\b(?:defects|bugs|issues|failures|smells|risks)(?: {WANTED})?$"
    r"|^(?:review |code |house |project )?rules$",
    Role.PROCEDURE: r"\b(?:procedure|workflow|method|steps|process)\b",
}
# The parts of a report, a tracker's issues, and the reviewer's list for himself: no defect classes.
NO_CLASSES = pattern(
    r"(?:(?:blocking|critical|major|minor|open|remaining|related|linked|existing|github|known) issues"
    r"|(?:how|when|where|why|fix|fixing|filing|reporting|handling|posting|verifying|ranking|tracking) .*"
    r"|(?:.* )?(?:final|self|submission|completion|setup|release|output|report) checklist)$"
)
STEP = pattern(r"\W*(?:step|phase) \d{1,3}\b", re.IGNORECASE)
LEAD = pattern(r"(?=\S)[*_]{0,2}([^*_:|`<>]{3,60})(?::[*_]{0,2}|[*_]{1,2}:?)$")
MAX_LEVEL = 6
MAX_TITLE = 200  # characters of a heading that are looked at


class Section(NamedTuple):
    """The lines `start`..`end` under a heading, the headings below it included."""

    role: Role
    heading: Heading | None  # None: no heading is above it, or it goes on behind another section
    start: int
    end: int


class Mark(NamedTuple):
    """A section opens at `line`."""

    line: int
    role: Role
    heading: Heading | None = None


def sections(doc: Document) -> tuple[Section, ...]:
    """The file from top to bottom. A heading inside a section that has a role stays a part of it,
    but for "do not report" below the defect classes, and for a checklist among the steps."""
    marks = [Mark(doc.start, Role.PROSE), *_marks(doc)]
    found = []
    for mark, following in zip(marks, [*marks[1:], Mark(len(doc.lines) + 1, Role.PROSE)], strict=True):
        start = mark.heading.line + 1 if mark.heading else mark.line
        found.append(Section(mark.role, mark.heading, start, following.line - 1))
    return _with_leads(doc, found)


def _marks(doc: Document) -> Iterator[Mark]:
    open_: list[tuple[int, Role]] = []  # the headings above, with their levels
    current = Role.PROSE
    for heading in doc.headings:
        while open_ and open_[-1][0] >= heading.level:
            open_.pop()
        outer = open_[-1][1] if open_ else Role.PROSE
        role = _role_below(outer, heading, is_title=heading is doc.headings[0] and heading.level == 1)
        # The last: back from a "do not report" to the classes around it.
        if role is not outer or outer is Role.PROSE or current is not role:
            yield Mark(heading.line, role, heading)
            current = role
        open_.append((heading.level, role))


def _role_below(outer: Role, heading: Heading, *, is_title: bool) -> Role:
    role = Role.PROSE if is_title else role_of(heading.text)
    if outer is Role.PROSE:
        return Role.PROCEDURE if role is Role.PROSE and STEP.match(heading.text) else role
    if outer in (Role.CLASSES, Role.PROCEDURE) and role is Role.SUPPRESS:
        return role
    if outer is Role.PROCEDURE and role is Role.CLASSES and re.search(CATALOGUE, _bare(heading.text)):
        return role
    return outer


def role_of(title: str) -> Role:
    """The role that the words of a heading give to what stands under it."""
    text = _bare(title)
    role = next((role for role, pattern in ROLES.items() if re.search(pattern, text)), Role.PROSE)
    return Role.PROSE if role is Role.CLASSES and NO_CLASSES.match(text) else role


def names_no_classes(title: str) -> bool:
    """Whether a heading of such words heads something else, although it speaks of issues or a checklist."""
    return NO_CLASSES.match(_bare(title)) is not None


def _bare(title: str) -> str:
    text = re.sub(r"^[\W\d_]+", "", title[:MAX_TITLE].lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    text = re.sub(r"^(?:(?:phase|step|part|section) (?:\d+|[a-z]\b)|[a-z]\d+)\W+", "", text)
    return re.split(r"[(,:]|\s[\N{EM DASH}\N{EN DASH}-]\s", text, maxsplit=1)[0].strip(" *:#.")


def _with_leads(doc: Document, found: list[Section]) -> tuple[Section, ...]:
    """The sections, parted where a line such as "Do not flag:" or "Rules:" heads a list without being
    a heading. The second counts only where no heading says which list is meant."""
    listed = any(section.role is Role.CLASSES for section in found)
    parts: list[Section] = []
    for section in found:
        under_title = not section.heading or section.heading.level == 1
        if section.role in (Role.PROSE, Role.CLASSES, Role.PROCEDURE):
            roles = (Role.SUPPRESS, Role.CLASSES) if under_title and not listed else (Role.SUPPRESS,)
            parts += _parted(doc, section, roles)
        else:
            parts.append(section)
    return tuple(parts)


def _parted(doc: Document, section: Section, roles: tuple[Role, ...]) -> Iterator[Section]:
    rest = section
    for number in doc.free_lines(section.start, section.end - 1):
        if number < rest.start or not (m := LEAD.match(doc.line(number).rstrip())) or LIST_MARK.match(m[0]):
            continue
        first = number + 1 + doc.blank(number + 1)
        alone = number == section.start or doc.blank(number - 1)
        if not alone or first > section.end or not LIST_MARK.match(doc.line(first)):
            continue
        if (role := role_of(m[1])) in roles:
            heading = Heading(number, MAX_LEVEL + 1, m[1].strip())
            below = doc.headings_in(first, section.end)
            end = doc.end_of_list(first, below[0].line - 1 if below else section.end)
            yield rest._replace(end=number - 1)
            yield Section(role, heading, number + 1, end)
            rest = Section(section.role, None, end + 1, section.end)
    yield rest
