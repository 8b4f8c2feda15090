"""The headings inside a section that may be its items."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reviewbot.core.patterns import pattern
from reviewbot.core.skill.markdown.items import Item, spans
from reviewbot.core.skill.markdown.scan import Document, Heading
from reviewbot.core.skill.markdown.sections import Section
from reviewbot.core.skill.markdown.severity import level_of

# What stands beside a list and is no item of it.
ASIDE = pattern(
    r"\W*(?:(?:notes?|background|references?|resources|overview|summary|usage|introduction|tips?|rationale"
    r"|context|purpose|see also|related|instructions|severity(?: levels?| scale)?|output format"
    r"|report(?:ing)?(?: format)?)\W*$|(?:examples?|why|how (?:to|it|this|we)|when (?:not )?to|notes? on)\b)",
    re.IGNORECASE,
)


def sub_headings(doc: Document, section: Section) -> list[Heading]:
    """The shallowest headings below that of the section, without those that name no item: the
    asides, and those that only say how severe the items below them are."""
    above = section.heading.level if section.heading else 0
    inner = [h for h in doc.headings_in(section.start, section.end) if h.level > above]
    inner = [h for h in inner if not ASIDE.match(h.text) and level_of(h.text) is None]
    level = min((h.level for h in inner), default=0)
    return [h for h in inner if h.level == level]


def from_headings(doc: Document, section: Section, opened: Sequence[tuple[Heading, str]]) -> list[Item]:
    """The items that these (heading, title) open. Each ends before the next heading of its level."""
    level = min((heading.level for heading, _ in opened), default=0)
    stops = {h.line for h in doc.headings_in(section.start, section.end) if h.level <= level}
    return spans(section, [(h.line, f"**{title.replace('*', '')}**\n") for h, title in opened], stops)
