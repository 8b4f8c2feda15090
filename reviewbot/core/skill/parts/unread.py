"""A list that may be one of defect classes, under a heading that does not say so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reviewbot.core.patterns import pattern
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.markdown.forms import TEMPLATE, TITLED_FORMS
from reviewbot.core.skill.markdown.items import Item
from reviewbot.core.skill.markdown.scan import Document, Heading
from reviewbot.core.skill.markdown.sections import MAX_LEVEL, Role, Section, names_no_classes
from reviewbot.core.skill.markdown.subheadings import ASIDE

MAX_HEADINGS = 200  # that are looked at: a file of 10,000 is nobody's review

DEFECTS = pattern(
    r"problem|mistake|pitfall|trap|gotcha|bug|issue|defect|error|fail|smell|risk|wrong|concern|hazard|danger"
    r"|avoid|watch|check|look|find|hunt|violation|red flag|criteri",
    re.IGNORECASE,
)
# What people list in a skill that is no defect.
OTHERWISE = pattern(
    r"\W*(?:when|how|about|what (?:this|it)|getting|quick|before|after|during|running|done|stop\w*|invo\w+"
    r"|set-?up|install\w*|configur\w*|pre-?requisites?|requirements|inputs?|outputs?|arguments|parameters"
    r"|options|commands|tools|templates?|formats?|examples?|features|capabilities|goals?|objectives?|roles?"
    r"|persona|principles|philosophy|mindset|tone|tasks?|steps?|phases?|scor\w+|severit\w+|priorit\w+"
    r"|verdicts?|communication|feedback|faq|links|further)\b"
    r"|.*\b(?:steps|phases|principles|examples|templates?|formats?|commands|(?:work)?flow|mode)$",
    re.IGNORECASE,
)


def warn_of_unread_list(doc: Document, parts: Sequence[Section], notes: Diagnostics) -> None:
    """S012 where no section of a review lists defect classes, and one looks as if it did: of several the
    first whose heading speaks of defects."""
    if any(part.role is Role.CLASSES for part in parts):
        return
    found = list(_lists(doc, parts))
    for heading in sorted(found, key=lambda h: not DEFECTS.search(h.text))[:1]:
        message = (
            f"the list under `{heading.text[:80]}` is not read as defect classes: call the heading "
            "Defect classes, What to look for, Checklist or Rules"
        )
        notes.warn("S012", heading.line, 1, message)


def _lists(doc: Document, parts: Sequence[Section]) -> Iterator[Heading]:
    """The headings of prose with a list of two items or more below them; none inside of another's list."""
    read = 0
    for section in _prose(doc, parts):
        heading = section.heading
        if heading is None or section.start <= read:
            continue
        items = _items(doc, section)
        if len(items) > 1 and not any(TEMPLATE.match(item.first) for item in items):
            read = section.end
            yield heading


def _is_otherwise(title: str) -> bool:
    return bool(ASIDE.match(title) or OTHERWISE.match(title)) or names_no_classes(title)


def _prose(doc: Document, parts: Sequence[Section]) -> list[Section]:
    """Each heading of prose but the title, with all below it up to a heading of its level, or to one of
    something else."""
    prose = [part.heading for part in parts if part.role is Role.PROSE and part.heading][:MAX_HEADINGS]
    edges: list[tuple[int, int, Heading | None]] = []
    edges += [(part.start - 1, 1, None) for part in parts if part.role is not Role.PROSE]
    edges += [(h.line, 1, None) if _is_otherwise(h.text) else (h.line, h.level, h) for h in prose]
    following = [len(doc.lines) + 1] * (MAX_LEVEL + 1)  # the next edge of each level
    found: list[Section] = []
    for line, level, heading in sorted(edges, key=lambda edge: edge[0], reverse=True):
        if heading and not (level == 1 and heading is doc.headings[0]):
            found.append(Section(Role.PROSE, heading, line + 1, min(following[: level + 1]) - 1))
        following[level] = line
    return found[::-1]


def _items(doc: Document, section: Section) -> list[Item]:
    unsaid = Diagnostics("")  # slips in its numbers are no matter while nobody reads it
    return next((items for form in TITLED_FORMS if (items := form(doc, section, unsaid))), [])
