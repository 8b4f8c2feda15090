"""SARIF 2.1.0 (OASIS), one run: for code scanning of GitHub, editors and whoever reads it.

rules.py describes the defect classes, results.py the findings and what was refuted, limits.py keeps
the file within what GitHub takes. An incomplete review has `executionSuccessful: false`, and each thing
that was not done is a notification.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reviewbot.core.report import words
from reviewbot.core.report.document import Document
from reviewbot.core.report.sarif.limits import fitted
from reviewbot.core.report.sarif.results import results
from reviewbot.core.report.sarif.rules import Rules, rules
from reviewbot.core.report.sarif.wording import message
from reviewbot.core.types import Review

VERSION = "2.1.0"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
NAME = "reviewbot"


def render(review: Review) -> str:
    """The log as text. It is ASCII, like the JSON report."""
    from reviewbot import __version__

    known = rules(review)
    found = results(review, known)
    return fitted(found, lambda kept, left: _log(review, known, kept, left, __version__))


def _log(review: Review, known: Rules, kept: Sequence[Document], left: str, version: str) -> Document:
    """left: what was left out because of the limits; "" for nothing."""
    driver = {"name": NAME, "semanticVersion": version, "rules": list(known.values())}
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"{NAME}/"},
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the repository."}}},
        "columnKind": "utf16CodeUnits",
        "invocations": [_invocation(review, left)],
        "results": list(kept),
        "properties": _properties(review),
    }
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def _invocation(review: Review, left: str) -> Document:
    """What was not done, and what was noticed in the skills."""
    told = list(_not_done(review))
    if left:
        told.append({"level": "warning", "message": message(left), "descriptor": {"id": "left-out"}})
    noticed = [{"level": "warning", "message": message(remark)} for remark in words.remarks(review)]
    return {
        "executionSuccessful": not review.incomplete,
        "toolExecutionNotifications": told,
        "toolConfigurationNotifications": noticed,
    }


def _not_done(review: Review) -> Iterator[Document]:
    for i in review.incomplete:
        yield {
            "level": "error",
            "message": message(f"Not done ({i.stage}): {i.what}: {i.why}"),
            "descriptor": {"id": f"incomplete/{i.stage}"},
        }


def _properties(review: Review) -> Document:
    """What SARIF has no word for: the verdict, and what nobody looked at."""
    return {
        "verdict": review.verdict,
        "summary": message(words.verdict(review))["text"],
        "base": review.change.base,
        "head": review.change.head,
        "uncovered": {reason: len(paths) for reason, paths in _reasons(review)},
        "notChecked": sorted({c.slug for c in review.checked if c.result == "not-checked"}),
    }


def _reasons(review: Review) -> Iterator[tuple[str, list[str]]]:
    for reason, paths in words.unlooked(review).items():
        yield message(reason)["text"], paths
