"""The JSON report, schema `reviewbot.review/1`: a public contract, word by word.

review.schema.json beside this file describes it. Names may be added in a later version of the
schema; none is renamed or dropped.
"""

from __future__ import annotations

import json
from typing import Any

from reviewbot.core.report import words
from reviewbot.core.types import Finding, GateResult, Rejection, Review, Suggestion
from reviewbot.core.visible import encodable

SCHEMA = "reviewbot.review/1"
TAIL = 20  # lines of a gate's output

Document = dict[str, Any]


def render(review: Review) -> str:
    return written(document(review))


def written(document: Document, indent: int | None = 2) -> str:
    """A document as text. It is ASCII, so that it is safe on any terminal and in any encoding. Without an
    indent it is one line, and written ten times as fast."""
    return json.dumps(_encodable(document), indent=indent, allow_nan=False) + "\n"


def document(review: Review) -> Document:
    uncovered = {u.path for u in review.uncovered}
    covered = sum(f.path not in uncovered for f in review.change.files)
    return {
        "schema": SCHEMA,
        "verdict": review.verdict,
        "base": review.change.base,
        "head": review.change.head,
        "skills": _skills(review),
        "coverage": {
            "files": covered + len(review.uncovered),
            "covered": covered,
            "uncovered": [{"path": u.path, "reason": u.reason} for u in review.uncovered],
        },
        "incomplete": [{"stage": i.stage, "what": i.what, "why": i.why} for i in review.incomplete],
        "gates": [_gate(result) for result in review.gates],
        "findings": [_finding(finding) for finding in review.findings],
        "rejections": [_rejection(rejection) for rejection in review.rejections],
        "checked": [
            {"skill": c.skill, "class": c.slug, "files": c.files, "result": c.result, "by": list(c.by)}
            for c in review.checked
        ],
        "guidance": [
            {"path": g.path, "scope": list(g.scope), "characters": g.characters, "read": len(g.text)}
            for g in review.guidance
        ],
        "notes": [*words.remarks(review), *(f"not proven: {why}" for why in words.unproven(review.findings))],
        "reader": review.reader,
        "usage": {
            "calls": review.usage.calls,
            "input_tokens": review.usage.input_tokens,
            "cached_tokens": review.usage.cached_tokens,
            "output_tokens": review.usage.output_tokens,
            "usd": review.usage.usd,
            "seconds": round(review.usage.seconds, 3),
        },
    }


def _skills(review: Review) -> list[Document]:
    claimed = {(a.skill.name, a.skill.path): len(a.paths) for a in review.scope.assignments}
    return [
        {
            "name": skill.name,
            "path": skill.path,
            "origin": skill.origin.value,
            "hash": skill.hash,
            "files": claimed.get((skill.name, skill.path), 0),
        }
        for skill in review.skills.active
    ]


def _gate(result: GateResult) -> Document:
    return {
        "skill": result.run.skill,
        "command": list(result.command or result.run.spec.argv),
        "status": result.status.value,
        "exit": result.exit,
        "blame": result.blame,
        "seconds": round(result.seconds, 3),
        "tail": "\n".join(result.output.rstrip("\n").split("\n")[-TAIL:]),
        "reason": result.reason,
    }


def _finding(finding: Finding) -> Document:
    c = finding.candidate
    return {
        "fingerprint": finding.fingerprint,
        "skill": c.skill,
        "class": c.slug,
        "rank": c.rank,
        "title": c.title,
        "severity": c.severity.value,
        "origin": c.origin.value,
        "detector": c.detector,
        "grade": c.grade.value,
        "confidence": c.confidence,
        "path": c.site.path,
        "side": c.site.side.value,
        "start_line": c.site.start_line,
        "line": c.site.line,
        "quote": c.site.quote,
        "also": [{"path": site.path, "line": site.start_line} for site in c.also],
        "preexisting": finding.preexisting,
        "failure": c.failure,
        "cost": c.cost,
        "fix": c.fix,
        "placement": finding.placement,
        "suggestion": _suggestion(finding.suggestion),
        "receipts": [
            {"kind": r.kind, "claim": r.claim, "path": r.path, "line": r.line, "ok": r.ok, "detail": r.detail}
            for r in finding.receipts
        ],
        "refutation": {"verdict": finding.refutation.verdict, "reason": finding.refutation.reason},
    }


def _suggestion(suggestion: Suggestion | None) -> Document | None:
    if suggestion is None:
        return None
    return {
        "start_line": suggestion.edit.start_line,
        "line": suggestion.edit.line,
        "replacement": suggestion.edit.replacement,
        "checked": list(suggestion.checked),
    }


def _rejection(rejection: Rejection) -> Document:
    c = rejection.candidate
    return {
        "class": c.slug,
        "path": c.site.path,
        "line": c.site.line,
        "title": c.title,
        "reason": rejection.reason,
        "detail": rejection.detail,
    }


def _encodable(value: Any) -> Any:
    """The same value, every string in it free of lone surrogates."""
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, dict):
        return {key: _encodable(item) for key, item in value.items()}
    return [_encodable(item) for item in value] if isinstance(value, list) else value
