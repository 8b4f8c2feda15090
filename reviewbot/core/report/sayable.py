"""What the formats that stand beside the lines of a diff say: which findings, how dear, in which words."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.core.report import words
from reviewbot.core.types import Finding, Review, Severity, Side, SkillOrigin
from reviewbot.core.visible import visible


def new(review: Review) -> list[Finding]:
    """All that is not older than the change, what decides first."""
    kinds = words.by_meaning(review.findings)
    return [*kinds.new, *kinds.second_look]


def weight(finding: Finding) -> Severity:
    """What decides nothing is a note."""
    return finding.candidate.severity if finding.decides else Severity.NOTE


def outside(review: Review) -> set[str]:
    """The paths of skills that are not in the repository: a gate of theirs has no place in it."""
    foreign = (SkillOrigin.BUILTIN, SkillOrigin.PATH)
    return {skill.path for skill in review.skills.active if skill.origin in foreign}


def in_head(finding: Finding, outside: set[str]) -> bool:
    """Whether its lines are those of a file at head."""
    site = finding.candidate.site
    return site.side is Side.RIGHT and site.path not in outside and site.start_line >= 1


def paragraphs(finding: Finding) -> str:
    """Why it matters, what to do, and the proof; nothing hidden in it."""
    return "\n".join(visible(text).strip() for text in _said(finding) if text.strip())


def _said(finding: Finding) -> Iterator[str]:
    c = finding.candidate
    yield from (c.failure, c.cost, f"Fix: {c.fix}" if c.fix.strip() else "")
    if c.also:
        yield f"The same cause, at: {words.also(finding)}."
    yield words.second_reading(finding)
    yield from map(words.receipt, finding.receipts)
