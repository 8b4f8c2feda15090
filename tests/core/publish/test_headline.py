"""The one line on what a review found, wherever it is said."""

from __future__ import annotations

import pytest

from reviewbot.core.publish.headline import counted, headline
from reviewbot.core.types import FileChange, Review, Severity, Status
from tests import builders

FOUND = [
    builders.finding(severity=severity, line=n, fingerprint=f"{n:016x}")
    for n, severity in enumerate([Severity.WARNING, Severity.WARNING, Severity.NOTE, Severity.NOTE], 1)
]


def unreviewed(*reasons: str) -> Review:
    left = tuple((f"{n}.cpp", reason) for n, reason in enumerate(reasons))
    review = builders.review(uncovered=left)
    files = tuple(FileChange(path, Status.MODIFIED) for path, _ in left)
    return review._replace(change=review.change._replace(files=files))


@pytest.mark.parametrize(
    ("number", "states", "said"),
    [
        (4, (), "4 findings (2 warnings, 2 notes)"),
        (
            4,
            ("still there", "new", "still there", "still there"),
            "4 findings (2 warnings, 2 notes): 1 new since the last review, 3 still there",
        ),
        (4, ("still there",) * 4, "4 findings (2 warnings, 2 notes), all still there"),
        (1, ("new",), "1 finding (1 warning), new since the last review"),
        (
            3,
            ("back", "moved", "declined"),
            "3 findings (2 warnings, 1 note): 1 back, 1 still there, 1 declined",
        ),
    ],
)
def test_new_means_one_thing(number: int, states: tuple[str, ...], said: str) -> None:
    assert "".join(counted(FOUND[:number], states)) == said


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        ((), "the change is empty"),
        (("no skill claims it",), "no skill claims the 1 changed file"),
        (("no skill claims it",) * 12, "no skill claims any of the 12 changed files"),
        (
            ("no skill claims it", "binary"),
            "none of 2 changed files could be reviewed (no skill claims it: 1 file; binary: 1 file)",
        ),
    ],
)
def test_where_nothing_was_in_scope_nothing_is_called_clean(reasons: tuple[str, ...], said: str) -> None:
    assert str(headline(unreviewed(*reasons))) == f"Nothing to review: {said}."


def test_a_gate_that_saw_the_whole_tree_has_looked() -> None:
    gate = builders.gate()
    whole = gate._replace(run=gate.run._replace(tool="run"))
    assert str(headline(unreviewed("binary")._replace(gates=(whole,)))) == (
        "Clean: nothing found in this change. 0 of 1 changed file reviewed."
    )


def test_what_was_not_looked_for_is_told_in_words() -> None:
    review = builders.review(checked=(builders.checked("held", "A"), builders.checked("not-checked", "B")))
    assert str(headline(review)) == (
        "Clean: nothing found in this change. 1 of 1 changed file reviewed; "
        "no model; 1 of 2 kinds of defect was not looked for."
    )
    read = str(headline(review._replace(reader="a-model")))
    assert read.endswith("reviewed; 1 of 2 kinds of defect was not looked for.")


def test_what_is_not_done_is_said_before_what_was_found() -> None:
    gaps = (("model", "a.sh", "cut off"),)
    found = str(headline(builders.review(*FOUND, incomplete=gaps)))
    assert found.startswith("Incomplete: 1 planned step not done; 4 findings (2 warnings, 2 notes). 1 of 1")
    nothing = headline(builders.review(incomplete=gaps)).markdown
    assert nothing == "**Incomplete**: 1 planned step not done. 1 of 1 changed file reviewed."
