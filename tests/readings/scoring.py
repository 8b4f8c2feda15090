"""What became of the claims about a change whose defects are known, step by step."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from reviewbot.core.types import Candidate, Finding, Origin, Review, Site

NEAR = 3  # lines from a known place, within which a claim is about it
# The steps in their order, and the reasons for which each takes claims away.
LOST = {
    "claimed": (),
    "with receipts": ("unquoted", "disproved", "out-of-scope", "suppressed", "capped", "preexisting"),
    "merged, sure enough": ("duplicate", "low-confidence"),
    "not refuted": ("refuted",),
    "sure": ("unsure", "aside"),
    "comments": ("elsewhere",),  # no comment can stand there, or there are too many
}
STEPS = tuple(LOST)


class Defect(NamedTuple):
    slug: str
    places: tuple[tuple[str, int], ...]  # (path, line)
    what: str


class Claimed(NamedTuple):
    """A candidate, and what became of it: a word of LOST, or "" for a comment."""

    candidate: Candidate
    end: str
    detail: str
    defect: int | None  # the known one that it is about


class Score(NamedTuple):
    expected: int  # known defects
    claims: tuple[Claimed, ...]
    incomplete: tuple[str, ...]

    def after(self, step: str) -> list[Claimed]:
        """The claims that are left behind a step."""
        gone = {reason for name in STEPS[: STEPS.index(step) + 1] for reason in LOST[name]}
        return [claim for claim in self.claims if claim.end not in gone]


def defects(expected: Mapping[str, Any]) -> tuple[Defect, ...]:
    return tuple(
        Defect(d["class"], tuple((p["path"], p["line"]) for p in (d, *d["also"])), d["what"])
        for d in expected["defects"]
    )


def score(review: Review, known: tuple[Defect, ...], sure: int) -> Score:
    """`sure`: percent of confidence that a comment takes."""
    ends = [(r.candidate, r.reason, r.detail) for r in review.rejections]
    for f in review.findings:
        ends.append((f.candidate, _end(f, sure), f"{f.refutation.verdict}: {f.refutation.reason}"))
    claims = [
        Claimed(candidate, end, detail, match(candidate, known))
        for candidate, end, detail in ends
        if candidate.origin is Origin.MODEL
    ]
    claims.sort(key=lambda c: (STEPS.index(_last(c)), c.candidate.site.path, c.candidate.site.start_line))
    incomplete = tuple(f"{i.stage}: {i.what}: {i.why}" for i in review.incomplete)
    return Score(len(known), tuple(claims), incomplete)


def _end(finding: Finding, sure: int) -> str:
    if finding.preexisting:
        return "preexisting"
    if finding.refutation.verdict == "unsure":
        return "unsure"
    if finding.candidate.confidence < sure:
        return "aside"
    return "" if finding.placement == "inline" else "elsewhere"


def match(candidate: Candidate, known: tuple[Defect, ...]) -> int | None:
    """The known defect at whose place the claim stands: the nearest; of several, the one of its class."""
    ways = [
        (_distance(candidate, defect), defect.slug != candidate.slug, i) for i, defect in enumerate(known)
    ]
    distance, _, i = min(ways, default=(NEAR + 1, True, 0))
    return i if distance <= NEAR else None


def _distance(candidate: Candidate, defect: Defect) -> int:
    sites = (candidate.site, *candidate.also)
    pairs = [(s, line) for s in sites for path, line in defect.places if path == s.path]
    return min((_lines(site, line) for site, line in pairs), default=NEAR + 1)


def _lines(site: Site, line: int) -> int:
    return max(site.start_line - line, line - site.line, 0)


def _last(claim: Claimed) -> str:
    """The step that took it away; the last one for a comment."""
    return next((step for step in STEPS if claim.end in LOST[step]), STEPS[-1])


def document(scores: Mapping[str, Score]) -> str:
    """The figures, as JSON."""
    cases = {name: _figures([own]) for name, own in scores.items()}
    return json.dumps({"cases": cases, "all": _figures(scores.values())}, indent=2)


def _figures(scores: Iterable[Score]) -> dict[str, Any]:
    scores = list(scores)
    expected = sum(own.expected for own in scores)
    ends = Counter(claim.end for own in scores for claim in own.claims if claim.end)
    return {
        "expected": expected,
        "steps": {step: _step([own.after(step) for own in scores], expected) for step in STEPS},
        "taken away": dict(sorted(ends.items())),
        "taken away and true": sum(c.defect is not None and c.end != "" for s in scores for c in s.claims),
        "incomplete": sum(len(own.incomplete) for own in scores),
    }


def _step(left: list[list[Claimed]], expected: int) -> dict[str, Any]:
    """Precision is None where nothing is claimed, recall where there is nothing to find."""
    claims = sum(map(len, left))
    true = sum(claim.defect is not None for own in left for claim in own)
    found = sum(len({claim.defect for claim in own} - {None}) for own in left)
    return {
        "claims": claims,
        "true": true,
        "found": found,
        "precision": round(true / claims, 2) if claims else None,
        "recall": round(found / expected, 2) if expected else None,
    }


def table(scores: Mapping[str, Score]) -> str:
    """For people: each claim and its end, then the figures of each step over all cases."""
    lines = [line for name, own in scores.items() for line in (f"{name}", *_claims(own), "")]
    figures = _figures(scores.values())
    lines.append(f"{len(scores)} cases, {figures['expected']} known defects")
    lines.append(f"{'':22}{'claims':>8}{'true':>8}{'found':>8}{'precision':>11}{'recall':>8}")
    for step, row in figures["steps"].items():
        numbers = f"{row['claims']:>8}{row['true']:>8}{row['found']:>8}"
        lines.append(f"{step:22}{numbers}{_ratio(row['precision']):>11}{_ratio(row['recall']):>8}")
    lines.append(f"taken away: {figures['taken away']}, of these true: {figures['taken away and true']}")
    return "\n".join(lines)


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _claims(own: Score) -> Iterable[str]:
    found = {c.defect for c in own.after("sure")} - {None}
    yield f"  {len(found)} of {own.expected} known defects"
    for claim in own.claims:
        c, truth = claim.candidate, "false" if claim.defect is None else f"defect {claim.defect + 1}"
        where = f"{c.site.path}:{c.site.start_line}"
        yield f"  {claim.end or 'comment':15} {truth:9} {where} {c.slug} ({c.confidence}): {c.title}"
        if claim.detail:
            yield f"    {claim.detail}"
    yield from (f"  not done: {line}" for line in own.incomplete)
