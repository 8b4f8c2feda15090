from __future__ import annotations

import pytest
from hypothesis import given

from reviewbot.core.report.edits import rows, span
from reviewbot.core.types import Edit, Finding, Suggestion
from tests import builders
from tests.strategies import few, findings

LOOP = "until ready; do\n    sleep 5\ndone"


def suggest(start: int, end: int, replacement: str) -> tuple[Finding, Suggestion]:
    return builders.finding(quote=LOOP, line=10), Suggestion(Edit(start, end, replacement), ("applies",))


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
        (12, 13, "done\nafter", ["+done", "+after"]),  # reaches beyond the quote: the old text is not known
        (9, 10, "x", ["+x"]),
    ],
)
def test_rows(start: int, end: int, replacement: str, shown: list[str]) -> None:
    assert ["".join(row) for row in rows(*suggest(start, end, replacement))] == shown


def test_the_old_lines_are_known_from_all_places_of_the_cause() -> None:
    next_arm = builders.candidate(line=42, quote="  --b) B=$2").site
    elsewhere = builders.candidate(line=41, quote="not this", path="other.sh").site
    finding = builders.finding(line=41, quote="  --a) A=$2", also=(next_arm, elsewhere))
    edit = Suggestion(Edit(41, 42, "  --a) need; A=$2\n  --b) B=$2"), ("applies",))
    assert ["".join(row) for row in rows(finding, edit)] == [
        "-  --a) A=$2",
        "+  --a) need; A=$2",
        "   --b) B=$2",
    ]


@few
@given(findings())
def test_rows_give_the_new_text_and_where_known_the_old_one(finding: Finding) -> None:
    if finding.suggestion is None:
        return
    site, edit = finding.candidate.site, finding.suggestion.edit
    shown = rows(finding, finding.suggestion)
    new = [line for mark, line in shown if mark in " +"]
    assert new == (edit.replacement.split("\n") if edit.replacement else [])
    if (edit.start_line, edit.line) == (site.start_line, site.line) and not finding.candidate.also:
        assert [line for mark, line in shown if mark in " -"] == site.quote.split("\n")


def test_span() -> None:
    assert span(Suggestion(Edit(3, 3, ""), ())) == "line 3"
    assert span(Suggestion(Edit(3, 4, ""), ())) == "lines 3-4"
