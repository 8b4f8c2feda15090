"""The verdict of a review as an exit code."""

from __future__ import annotations

from reviewbot.core.errors import EXIT_CLEAN, EXIT_FINDINGS, EXIT_INCOMPLETE
from reviewbot.core.types import Review, Severity

NEVER = "never"


def exit_code(review: Review, fail_on: str) -> int:
    """3 incomplete, 1 a finding that counts is `fail_on` or worse, else 0.

    `fail_on` is a severity or "never"; an incomplete review is never a success.
    """
    if review.incomplete:
        return EXIT_INCOMPLETE
    if fail_on == NEVER:
        return EXIT_CLEAN
    ladder = list(Severity)  # worst first
    bad = ladder[: ladder.index(Severity(fail_on)) + 1]
    fails = any(f.decides and f.candidate.severity in bad for f in review.findings)
    return EXIT_FINDINGS if fails else EXIT_CLEAN
