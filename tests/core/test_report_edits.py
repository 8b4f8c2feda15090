from __future__ import annotations

import pytest
from hypothesis import given

from reviewbot.core.report.edits import rows, span
from reviewbot.core.types import Edit, Finding, Suggestion
from tests.strategies import few, findings

LOOP = ("until ready; do", "    sleep 5", "done")


def suggest(start: int, end: int, replacement: str) -> Suggestion:
    return Suggestion(Edit(start, end, replacement), LOOP[start - 10 : end - 9], ("applies",))


@pytest.mark.parametrize(
    ("start", "end", "replacement", "shown"),
    [
        (11, 11, "    check\n    sleep 5", ["+    check", "     sleep 5"]),
        (11, 11, "    sleep 5\n    check", ["     sleep 5", "+    check"]),
        (11, 11, "    sleep 6", ["-    sleep 5", "+    sleep 6"]),
        (
            10,
            12,
            "until ready; do\n    sleep 6\ndone",
            [" until ready; do", "-    sleep 5", "+    sleep 6", " done"],
        ),
        (11, 11, "", ["-    sleep 5"]),
    ],
)
def test_rows(start: int, end: int, replacement: str, shown: list[str]) -> None:
    assert ["".join(row) for row in rows(suggest(start, end, replacement))] == shown


@few
@given(findings())
def test_rows_give_the_new_text_and_the_old_one(finding: Finding) -> None:
    if finding.suggestion is None:
        return
    edit, shown = finding.suggestion.edit, rows(finding.suggestion)
    new = [line for mark, line in shown if mark in " +"]
    assert new == (edit.replacement.split("\n") if edit.replacement else [])
    assert tuple(line for mark, line in shown if mark in " -") == finding.suggestion.old


def test_span() -> None:
    assert span(suggest(11, 11, "")) == "line 11"
    assert span(suggest(11, 12, "")) == "lines 11-12"
