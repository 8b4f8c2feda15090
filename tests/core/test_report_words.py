from __future__ import annotations

import pytest
from hypothesis import given

from reviewbot.core.report import words
from reviewbot.core.types import (
    Edit,
    GateStatus,
    Grade,
    Receipt,
    Refutation,
    Review,
    Severity,
    Side,
    Suggestion,
    Usage,
)
from tests import builders
from tests.strategies import few, reviews


@few
@given(reviews())
def test_each_finding_has_one_meaning_and_the_line_begins_with_the_verdict(review: Review) -> None:
    kinds = words.by_meaning(review.findings)
    assert sorted(map(id, (*kinds.new, *kinds.second_look, *kinds.preexisting))) == sorted(
        map(id, review.findings)
    )
    assert words.verdict(review).startswith(f"{review.verdict}: ")
    assert bool(kinds.new) == (review.verdict == "findings") or review.verdict == "incomplete"


def test_findings_are_counted_by_severity_worst_first() -> None:
    review = builders.review(
        builders.finding(severity=Severity.NOTE),
        builders.finding(),
        builders.finding(),
        builders.finding(severity=Severity.BLOCKER),
    )
    assert words.verdict(review) == (
        "findings: 4 new (1 blocker, 2 warnings, 1 note); 1 of 1 changed file reviewed"
    )


def test_all_that_was_not_looked_at_is_said() -> None:
    review = builders.review(
        builders.finding(grade=Grade.HINT),
        builders.finding(preexisting=True),
        paths=("a.sh", "b.sh", "c.sh"),
        uncovered=(("a.png", "binary"), ("b.md", "no skill claims it")),
        checked=tuple(builders.checked(r) for r in ("found", "not-checked", "not-checked", "nothing-found")),
        gates=(
            builders.gate(),
            builders.gate(GateStatus.SKIPPED, "ruff check"),
            builders.gate(GateStatus.SKIPPED, "ruff check"),
        ),
    )
    assert words.verdict(review) == (
        "clean: nothing new found; 3 of 5 changed files reviewed; 1 worth a second look; 1 preexisting; "
        "detectors only, 2 of 4 classes not checked; 1 gate skipped"
    )


def test_with_a_model_it_is_not_detectors_only() -> None:
    review = builders.review(checked=(builders.checked("not-checked"),), reader="a-model, prompts 0123")
    assert "; 1 of 1 class not checked" in words.verdict(review)
    assert "detectors only" not in words.verdict(review)


def test_an_incomplete_review_says_so_first_and_keeps_its_findings() -> None:
    rows = (("gate", "shellcheck", "not installed"), ("scope", "big.sh", "2.1 MB, the limit is 1 MB"))
    review = builders.review(builders.finding(), incomplete=rows)
    assert words.verdict(review) == (
        "incomplete: 2 planned steps not done; 1 new finding (1 warning); 1 of 1 changed file reviewed"
    )
    assert words.verdict(review._replace(findings=())) == (
        "incomplete: 2 planned steps not done; nothing new found; 1 of 1 changed file reviewed"
    )


@pytest.mark.parametrize(
    ("paths", "uncovered", "line"),
    [
        ((), (), "clean: the change is empty"),
        (
            (),
            (("a.md", "no skill claims it"),),
            "clean: nothing in scope; 0 of 1 changed file reviewed",
        ),
        (("a.sh",), (), "clean: nothing new found; 1 of 1 changed file reviewed"),
    ],
)
def test_a_change_of_which_nothing_was_reviewed_is_not_praised(
    paths: tuple[str, ...], uncovered: tuple[tuple[str, str], ...], line: str
) -> None:
    assert words.verdict(builders.review(paths=paths, uncovered=uncovered)) == line


def test_an_unread_file_is_not_out_of_scope() -> None:
    rows = (("scope", "big.sh", "too large"),)
    review = builders.review(paths=(), uncovered=(("big.sh", "too large"),), incomplete=rows)
    assert words.verdict(review) == "incomplete: 1 planned step not done; 0 of 1 changed file reviewed"


def test_notes_of_the_change_are_in_the_line() -> None:
    review = builders.review()
    change = review.change._replace(notes=("only the hunks of the patch were read",))
    assert "; only the hunks of the patch were read" in words.verdict(review._replace(change=change))


def test_what_was_compared() -> None:
    change = builders.review().change
    assert words.compared(change) == "main...HEAD, base aaaaaaaaaaaa, head bbbbbbbbbbbb"
    assert words.compared(change._replace(base=None, head=None, label="fix.patch")) == "fix.patch"
    assert words.compared(change._replace(base=None, head=None, label="")) == ""


def test_places() -> None:
    site = builders.candidate(quote="a\nb", line=3).site
    assert words.place(site) == "runners/launch_h200.sh:3-4"
    assert words.place(site._replace(line=3, side=Side.LEFT)) == "runners/launch_h200.sh:3 (at base)"
    there = builders.candidate(path="b.sh", line=9).site
    assert words.also(builders.finding(also=(site, there))) == "line 3, b.sh:9"
    assert words.also(builders.finding(also=(site, site._replace(start_line=7)))) == "lines 3, 7"
    assert words.also(builders.finding()) == ""


def test_why_there_is_no_suggestion() -> None:
    edit = Suggestion(Edit(41, 41, "x"), ("y",), ("applies", "parses", "gates", "fixes", "tests"))
    assert words.unsuggested(builders.finding()) == "none is known to be safe"
    assert words.unsuggested(builders.finding(unsuggested="it changes nothing")) == "it changes nothing"
    assert words.unsuggested(builders.finding(suggestion=edit)) == ""
    assert words.checks(edit) == (
        "it applies, the result parses, the gates say no more than before, the finding is gone, tests"
    )


@pytest.mark.parametrize(
    ("receipt", "sentence"),
    [
        (Receipt("quote", "`x` stands at a:1", "a", 1, True, "line 1"), "`x` stands at a:1"),
        (Receipt("absent", "no line sets errexit", "a", None, True, "no line"), "No line sets errexit"),
        (
            Receipt("count", "6 lines are guarded", "a", None, True, "6 lines: 1"),
            "6 lines are guarded (6 lines: 1)",
        ),
        (Receipt("absent", "no exit", "a", None, False, "line 3"), "Does not hold: No exit (line 3)"),
        (Receipt("run", "it hangs", "a", None, True, "killed after 1 s"), "It hangs (killed after 1 s)"),
    ],
)
def test_receipts(receipt: Receipt, sentence: str) -> None:
    assert words.receipt(receipt) == sentence


def test_the_second_reading() -> None:
    assert words.second_reading(builders.finding()) == ""
    refuted = builders.finding(refutation=Refutation("unsure", "the guard may be in a sourced file"))
    assert (
        words.second_reading(refuted) == "a second reading says: unsure (the guard may be in a sourced file)"
    )


def test_gates_that_went_alike_are_one_row() -> None:
    failed = builders.gate(GateStatus.FAILED, exit=1, blame="new")
    unknown = builders.gate(GateStatus.FAILED, exit=None)
    mended = builders.gate(blame="fixed")
    refused = builders.gate(GateStatus.REFUSED, "./tests/run.sh", reason="it would run code of the change")
    review = builders.review(gates=(builders.gate(), builders.gate(), failed, unknown, mended, refused))
    assert {row: len(results) for row, results in words.gates(review).items()} == {
        ("bash -n <each>.sh", "passed"): 2,
        ("bash -n <each>.sh", "failed (exit 1), new"): 1,
        ("bash -n <each>.sh", "failed, new or old not known"): 1,
        ("bash -n <each>.sh", "passed, failed on base"): 1,
        ("./tests/run.sh", "refused: it would run code of the change"): 1,
    }


def test_unlooked_files_are_grouped_by_reason_most_first() -> None:
    review = builders.review(uncovered=(("a", "binary"), ("b", "deleted"), ("c", "deleted")))
    assert list(words.unlooked(review).items()) == [("deleted", ["b", "c"]), ("binary", ["a"])]


def test_what_a_model_cost_is_said_with_its_figures() -> None:
    used = Usage(3, 12_000, 8_000, 900, 0.0432, 12.4)
    review = builders.review(reader="a-model, prompts 0123", usage=used)
    assert words.cost(review) == (
        "a-model, prompts 0123: 3 calls, 12,000 tokens in (8,000 cached), 900 out, $0.04, 12 s"
    )
    assert words.cost(builders.review()) == ""
