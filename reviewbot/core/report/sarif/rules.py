"""The defect classes as SARIF's rules: one a slug."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.core.report.document import Document
from reviewbot.core.report.sarif.wording import described, message
from reviewbot.core.types import Candidate, DefectClass, Review, Severity
from reviewbot.core.visible import encodable

Rules = dict[str, Document]  # by slug, in the order of the file

LEVELS = {Severity.BLOCKER: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_PROBLEMS = {"error": "error", "warning": "warning", "note": "recommendation"}  # GitHub's words


def rules(review: Review) -> Rules:
    """The classes of the skills that took part, dearest first, and those of what was claimed beside them."""
    claims: dict[str, Candidate] = {}
    for candidate in _claims(review):
        claims.setdefault(candidate.slug, candidate)
    known: Rules = {}
    for skill in review.skills.active:
        for c in skill.classes:
            if c.kind == "defect" and c.slug not in known:
                known[c.slug] = _of_class(skill.name, c, claims.get(c.slug))
    for slug, candidate in claims.items():
        if slug not in known:
            known[slug] = _of_claim(candidate)
    return known


def _claims(review: Review) -> Iterator[Candidate]:
    yield from (finding.candidate for finding in review.findings)
    yield from (rejection.candidate for rejection in review.rejections)


def _of_class(skill: str, c: DefectClass, claim: Candidate | None) -> Document:
    cost = claim.cost if claim else ""
    fix = c.fix or (claim.fix if claim else "")
    return _rule(c.slug, c.title, c.body, (("Cost", cost), ("Fix", fix)), LEVELS[c.weight], skill)


def _of_claim(c: Candidate) -> Document:
    """Of a class that no active skill names: a gate that failed, mostly."""
    return _rule(c.slug, c.title, c.title, (("Cost", c.cost), ("Fix", c.fix)), LEVELS[c.severity], c.skill)


def _rule(
    slug: str, title: str, body: str, said: tuple[tuple[str, str], ...], level: str, skill: str
) -> Document:
    help = "\n\n".join(f"{word}: {text}" for word, text in said if text.strip())
    return {
        "id": encodable(slug),
        "shortDescription": described(title),
        "fullDescription": described(body or title),
        "help": message(help or title or slug),
        "defaultConfiguration": {"level": level},
        "properties": {"tags": ["reviewbot", encodable(skill)], "problem.severity": _PROBLEMS[level]},
    }
