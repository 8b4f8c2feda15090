"""The check run: begun before the work, and ended in every case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reviewbot.core.ask.redact import redacted
from reviewbot.core.errors import EXIT_FINDINGS
from reviewbot.core.publish import marker
from reviewbot.core.publish.cap import capped, clipped, inert, plain
from reviewbot.core.publish.summary import UNKNOWN, claim, refutations
from reviewbot.core.report import words
from reviewbot.core.types import Finding, Pull, PullTerms, Review, Severity, Side, SkillOrigin
from reviewbot.core.verdict import exit_code
from reviewbot.core.visible import encodable

NAME = "reviewbot"
NOBODY = "Nobody refuted a claim: no model took part in this review."
CHUNK = 50  # annotations of one request
TITLE = 255
MESSAGE = 64_000 // 4  # characters: GitHub's limit is in bytes, of which one has up to four

RERUN = {"label": "Re-run", "description": "Review this head once more", "identifier": "rerun"}
REFUTED = {
    "label": "Show refuted",
    "description": "List the claims that did not hold",
    "identifier": "refuted",
}
_LEVELS = {Severity.BLOCKER: "failure", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def begun(pull: Pull, run_url: str, started: str) -> dict[str, Any]:
    """The body of the POST. `started` is ISO 8601 in UTC. The external id is how the pull request of a
    fork is found again: GitHub does not name it in the events of its checks."""
    body: dict[str, Any] = {
        "name": NAME,
        "head_sha": pull.head_sha,
        "status": "in_progress",
        "started_at": started,
        "external_id": f"{pull.repo}#{pull.number}@{pull.head_sha}",
        "output": {"title": "Reviewing", "summary": "The review has begun; nothing is known yet."},
    }
    return body | ({"details_url": run_url} if run_url else {})


def ended(
    review: Review,
    findings: Sequence[Finding],
    terms: PullTerms,
    completed: str,
    title: str,
    summary: str,
) -> list[dict[str, Any]]:
    """The bodies of the PATCHes, of which the last ends the run. GitHub adds up their annotations.

    findings: those without an inline comment that stands.
    completed: ISO 8601 in UTC.
    title: the line that the summary begins with.
    summary: the body of the summary comment.
    """
    output = {
        "title": clipped(plain(title), TITLE),
        "summary": capped(redacted(marker.without(summary))),
    }
    notes = list(_annotations(review, findings))
    chunks = [notes[at : at + CHUNK] for at in range(0, len(notes), CHUNK)] or [[]]
    bodies: list[dict[str, Any]] = [{"output": output | {"annotations": chunk}} for chunk in chunks if chunk]
    last: dict[str, Any] = bodies.pop() if bodies else {"output": output}
    last |= _completed(_conclusion(review, terms), completed)
    last["actions"] = [RERUN, REFUTED] if refutations(review) else [RERUN]
    return [*bodies, last]


def with_refuted(review: Review, title: str, summary: str) -> dict[str, Any]:
    """The body of the PATCH that answers "Show refuted". `title` and `summary`: those of the check run, which
    GitHub would take away otherwise."""
    claims = refutations(review)
    if claims:
        text = "\n".join(["Claims that did not survive their check:", "", *(f"- {claim(r)}" for r in claims)])
    else:
        text = "No claim was refuted." if review.reader else NOBODY
    return {"output": {"title": title, "summary": summary, "text": capped(redacted(text))}}


def cancelled(why: str, completed: str, conclusion: str = "cancelled") -> dict[str, Any]:
    """The body of the PATCH for a head that was not reviewed. `why`: a clause. Of a superseded one there is
    nothing to run again."""
    said = f"The review did not end: {inert(why)}. {UNKNOWN}"
    body = _completed(conclusion, completed)
    body["output"] = {"title": "Not reviewed", "summary": capped(redacted(said))}
    return body if conclusion == "cancelled" else body | {"actions": [RERUN]}


def _completed(conclusion: str, completed: str) -> dict[str, Any]:
    return {"status": "completed", "conclusion": conclusion, "completed_at": completed}


def _conclusion(review: Review, terms: PullTerms) -> str:
    """A finding that fails the check fails it also where something else was not done. Where nothing was in
    scope nothing is a success."""
    fails = exit_code(review._replace(incomplete=()), terms.fail_on) == EXIT_FINDINGS
    if fails or (review.incomplete and terms.gate):
        return "failure"
    return "success" if review.verdict == "clean" and words.in_scope(review) else "neutral"


def _annotations(review: Review, findings: Sequence[Finding]) -> Iterator[Mapping[str, Any]]:
    """Of what is new and has a place in the tree at head: a skill that is not the repository's has none."""
    foreign = (SkillOrigin.BUILTIN, SkillOrigin.PATH)
    elsewhere = {skill.path for skill in review.skills.active if skill.origin in foreign}
    for finding in findings:
        site = finding.candidate.site
        if not finding.preexisting and site.side is Side.RIGHT and site.path not in elsewhere:
            yield _annotation(finding)


def _annotation(finding: Finding) -> Mapping[str, Any]:
    """Plain text: GitHub shows it as it is."""
    c = finding.candidate
    said = (c.failure, c.cost, f"Fix: {c.fix}", *map(words.receipt, finding.receipts))
    return {
        "path": encodable(c.site.path),
        "start_line": c.site.start_line,
        "end_line": c.site.line,
        "annotation_level": _LEVELS[c.severity] if finding.decides else "notice",
        "title": clipped(plain(c.title), TITLE),
        "message": clipped("\n".join(plain(text) for text in said if text.strip()), MESSAGE),
    }
