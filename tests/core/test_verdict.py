from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.types import Grade, Review, Severity
from reviewbot.core.verdict import exit_code
from tests import builders
from tests.strategies import few, reviews

FAIL_ON = ("blocker", "warning", "note", "never")


@pytest.mark.parametrize(
    ("severity", "codes"),
    [(Severity.BLOCKER, (1, 1, 1, 0)), (Severity.WARNING, (0, 1, 1, 0)), (Severity.NOTE, (0, 0, 1, 0))],
)
def test_a_finding_fails_the_review_from_its_severity_on(severity: Severity, codes: tuple[int, ...]) -> None:
    review = builders.review(builders.finding(severity=severity))
    assert tuple(exit_code(review, level) for level in FAIL_ON) == codes


@pytest.mark.parametrize("changes", [{"preexisting": True}, {"grade": Grade.HINT}])
def test_old_findings_and_hints_do_not_decide(changes: dict[str, object]) -> None:
    finding = builders.finding(severity=Severity.BLOCKER, **changes)
    assert exit_code(builders.review(finding), "note") == 0


@few
@given(reviews(), st.sampled_from(FAIL_ON))
def test_only_a_whole_review_can_succeed(review: Review, level: str) -> None:
    code = exit_code(review, level)
    assert (code == 3) == bool(review.incomplete)
    assert code in (0, 1, 3)
    if review.verdict == "clean":
        assert code == 0
