"""Which fixes go together, what comes of them, and whether that is better."""

from __future__ import annotations

from typing import Any

import pytest

from reviewbot.core import fix
from reviewbot.core.fix import WHOLE, Fix
from reviewbot.core.types import (
    Change,
    Edit,
    FileChange,
    Finding,
    Grade,
    Incomplete,
    Origin,
    Refutation,
    Review,
    Status,
    Suggestion,
    Text,
)
from tests import builders


def found(path: str = "a.sh", line: int = 3, end: int | None = None, new: str = "x", **more: Any) -> Finding:
    edit = Edit(line, end or line, new)
    suggestion = more.pop("suggestion", Suggestion(edit, ("old",), ("applies",)))
    name = more.pop("fingerprint", f"{path}:{line}:{new}")
    return builders.finding(path=path, line=line, suggestion=suggestion, fingerprint=name, **more)


def review(*findings: Finding, incomplete: tuple[Incomplete, ...] = ()) -> Review:
    paths = dict.fromkeys(f.candidate.site.path for f in findings)
    change = Change("b", "h", tuple(FileChange(path, Status.MODIFIED) for path in paths))
    return builders.review(*findings)._replace(change=change, incomplete=incomplete)


def offered(*findings: Finding) -> list[Fix]:
    return fix.fixes(review(*findings))


# --- which ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "more",
    [
        {"suggestion": None},
        {"preexisting": True},
        {"grade": Grade.HINT},
        {"refutation": Refutation("unsure")},
    ],
)
def test_what_is_no_fix(more: dict[str, Any]) -> None:
    assert offered(found(**more)) == []


def test_a_file_outside_the_change_is_not_fixed() -> None:
    whole = review(found())
    assert fix.fixes(whole._replace(change=whole.change._replace(files=()))) == []


def test_a_hint_that_a_second_reading_confirms_is_a_fix() -> None:
    assert len(offered(found(grade=Grade.HINT, refutation=Refutation("confirmed")))) == 1


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ((3, 3), (4, 4), 2),
        ((3, 5), (5, 5), 1),
        ((3, 5), (1, 3), 1),
        ((3, 5), (4, 4), 1),
        ((3, 3), (3, 3), 1),
        ((1, 2), (3, 9), 2),
    ],
)
def test_of_two_that_overlap_the_first(one: tuple[int, int], other: tuple[int, int], together: int) -> None:
    both = offered(found(line=one[0], end=one[1]), found(line=other[0], end=other[1], new="y"))
    assert fix.batch(both, set()) == both[:together]


def test_lines_of_other_files_do_not_overlap() -> None:
    both = offered(found("a.sh"), found("b.sh"))
    assert fix.batch(both, set()) == both


def test_one_at_a_time_of_a_file_and_of_all() -> None:
    all = offered(found("a.sh", 1), found("a.sh", 9), found("b.sh", 1), found("b.sh", 9))
    assert fix.batch(all, {"a.sh"}) == [all[0], *all[2:]]
    assert fix.batch(all, {WHOLE}) == all[:1]


# --- applied ----------------------------------------------------------------------------------


def test_edits_of_other_lengths_do_not_move_each_other() -> None:
    text = Text("a.sh", "1\n2\n3\n4\n5")
    chosen = offered(found(line=1, new="a\nb\nc"), found(line=2, end=3, new=""), found(line=5, new="e"))
    assert fix.applied(chosen, {"a.sh": text})["a.sh"].content == "a\nb\nc\n4\ne"


def test_a_fix_without_its_text_is_an_error() -> None:
    with pytest.raises(KeyError):
        fix.applied(offered(found()), {})
    with pytest.raises(ValueError, match=r"lines 3-3 are not in a\.sh"):
        fix.applied(offered(found()), {"a.sh": Text("a.sh", "1\n")})


# --- better or worse --------------------------------------------------------------------------


def test_what_is_gone_is_better() -> None:
    assert fix.worse(review(found()), review(), offered(found())) == {}


def test_what_still_stands_is_worse() -> None:
    before = review(found())
    said = "it would leave: A failed step does not stop the launch (line 3)"
    assert fix.worse(before, before, fix.fixes(before)) == {"a.sh": said}


def test_another_of_the_same_kind_in_its_place_is_worse() -> None:
    one, other, third = found(line=1), found(line=5), found(line=9)
    assert fix.worse(review(one, other), review(other), offered(one)) == {}
    assert fix.worse(review(one, other), review(other, third), offered(one)).keys() == {"a.sh"}


def test_a_fix_that_mends_two_is_better() -> None:
    one, other = found(line=1), found(line=5)
    assert fix.worse(review(one, other), review(), offered(one)) == {}


def test_what_comes_in_another_file_is_the_fault_of_all() -> None:
    new = found("tests/x.py", origin=Origin.GATE, detector=None, title="a test fails")
    assert fix.worse(review(found()), review(new), offered(found())) == {
        WHOLE: "it would leave: a test fails (line 3)"
    }


def test_what_is_old_afterwards_does_not_count() -> None:
    assert fix.worse(review(found()), review(found(line=7, preexisting=True)), offered(found())) == {}


def test_a_new_hint_is_worse() -> None:
    hint = found(line=7, detector="late-gate", grade=Grade.HINT)
    assert fix.worse(review(found()), review(hint), offered(found())).keys() == {"a.sh"}


@pytest.mark.parametrize(
    ("entry", "where"),
    [
        (Incomplete("detect", "a.sh", "does not parse"), "a.sh"),
        (Incomplete("gate", "pytest -q", "timeout"), WHOLE),
        (Incomplete("model", "chunk 1", "refused"), None),
    ],
)
def test_what_is_no_longer_done_is_worse(entry: Incomplete, where: str | None) -> None:
    after = review(incomplete=(entry,))
    assert list(fix.worse(review(found()), after, offered(found()))) == ([where] if where is not None else [])
    before = review(found(), incomplete=(entry._replace(why="another reason"),))
    assert fix.worse(before, after, offered(found())) == {}


def test_what_a_model_says_is_not_counted() -> None:
    said = found(line=30, origin=Origin.MODEL, detector=None)
    assert fix.worse(review(found()), review(said), offered(found())) == {}
    assert fix.worse(review(said), review(found(line=3)), offered(said)).keys() == {"a.sh"}


def test_what_a_model_finds_in_the_words_of_a_fix() -> None:
    tried = offered(found(new="  one || exit 1\ntwo"))
    here = found(line=4, origin=Origin.MODEL, detector=None, quote="one || exit 1")
    there = here._replace(
        candidate=builders.candidate(path="a.sh", line=9, quote="three", origin=Origin.MODEL)
    )
    known = review(here)
    assert fix.touched(review(found()), review(here), tried).keys() == {"a.sh"}
    assert fix.touched(review(found()), review(there), tried) == {}
    assert fix.touched(known, review(here), tried) == {}
    assert fix.touched(review(found()), review(here._replace(preexisting=True)), tried) == {}


# --- the message ------------------------------------------------------------------------------


def test_the_message_names_each_defect_and_its_cost() -> None:
    text = fix.message(
        offered(found("a.sh"), found("b\n.sh", cost="", failure="It fails.")), "work", "0" * 40
    )
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    assert paragraphs == [
        "Fix 2 defects that reviewbot found",
        "Stacked on work (000000000000): that merges first, then this commit.",
        "- a.sh: A failed step does not stop the launch \u2192 The allocation is spent on a run that "
        "measures the old configuration under the new name.",
        "- b\\n.sh: A failed step does not stop the launch \u2192 It fails.",
    ]
    assert max(map(len, text.splitlines())) <= 72
