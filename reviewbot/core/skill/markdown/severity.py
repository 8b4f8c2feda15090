"""The severity words that people use, as ours, and where one of them is meant as a severity."""

from __future__ import annotations

import re

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Severity

WORDS = {
    Severity.BLOCKER: ("blocker", "blocking", "critical", "must[- _]fix", "p0", "\N{LARGE RED CIRCLE}"),
    Severity.WARNING: (
        *("warning", "high", "major", "medium", "important", "should[- _]fix", "p1", "p2"),
        *("\N{LARGE ORANGE CIRCLE}", "\N{LARGE YELLOW CIRCLE}"),
    ),
    Severity.NOTE: ("note", "low", "minor", "nit", "info", "suggestion", "optional", "p3"),
}
WORD = "(?:" + "|".join(f"(?P<{s.name}>{'|'.join(words)})" for s, words in WORDS.items()) + ")"
# A severity is only read where it is meant as one: "[high] …", "… (critical)", "Severity: low".
# A title such as "Warning where an assumption breaks" says nothing about severity.
TAG_BEFORE = pattern(rf"[\[(]{WORD}[\])]:?\s*", re.IGNORECASE)
TAG_BEHIND = pattern(rf"\s[\[(]{WORD}[\])]$", re.IGNORECASE)
LABEL = pattern(rf"\b(?:severity|priority)\W{{1,6}}{WORD}(?!\w)", re.IGNORECASE)
# A heading over items of one severity: "Critical", "High priority", "P1 issues (should fix)".
LEVEL = pattern(
    rf"\W*{WORD}s?(?:[ -](?:issues?|priority|severity|level|findings?|bugs|defects|checks|items)){{0,2}}"
    r"\W*(?:\([^()]*\)|[:\N{EM DASH}-] ?(?:must|should|may|fix|blocks|optional|nice to have)\b.*)?$",
    re.IGNORECASE,
)
COLUMN = pattern(r"(?:severity|priority|level|sev)$", re.IGNORECASE)


def level_of(heading: str) -> Severity | None:
    """The severity of everything under a heading that says nothing else."""
    return _named(LEVEL.match(heading))


def tagged(title: str, rest: str) -> tuple[str, Severity | None]:
    """A title without the severity written in it, and that severity, else the one its text begins with
    or names."""
    tag = TAG_BEFORE.match(title) or TAG_BEHIND.search(title)
    if tag:
        title = f"{title[: tag.start()]}{title[tag.end() :]}"
    return title, _named(tag or TAG_BEFORE.match(rest) or LABEL.search(rest))


def _named(match: re.Match[str] | None) -> Severity | None:
    return Severity[match.lastgroup] if match and match.lastgroup else None
