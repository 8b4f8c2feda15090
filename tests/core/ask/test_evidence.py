"""What is left of a claim when its checks were run: law 4, and laws 2, 3 and 5 for models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.ask.evidence import Weighed
from reviewbot.core.errors import UsageError
from reviewbot.core.types import Edit, Rejection, Side, Text
from reviewbot.core.verify import Checked
from tests.core.ask.claims import absent, count, finding, quote, said, sources, weighed
from tests.fakes.shelf import Shelf
from tests.strategies import few

RUN = "set -x\nmake all\nsync\nmake all\nrun\n"
TREE = sources({"run.sh": RUN})
ONCE = RUN.replace("sync\nmake all", "sync\nmake it")


def kept(weighed: Weighed) -> Checked:
    assert weighed.rejections == ()
    (checked,) = weighed.checked
    return checked


def rejected(weighed: Weighed) -> Rejection:
    assert weighed.checked == ()
    (rejection,) = weighed.rejections
    assert rejection.reason == "unquoted"
    return rejection


# --- sentences --------------------------------------------------------------------------------


def test_a_claim_whose_checks_hold_has_their_receipts():
    checks = [quote("make all", 2), count("make", 2), absent("^set -e")]
    sentences = [said("A failed build is launched.", 0, 1), said("It never has `set -e`.", 2)]
    checked = kept(weighed(TREE, finding(evidence=checks, failure=sentences)))
    assert checked.candidate.failure == "A failed build is launched. It never has `set -e`."
    assert [(r.kind, r.ok) for r in checked.receipts] == [
        *[("quote", True)] * 2,  # of the finding, which may stand at line 4 too, and of its first sentence
        ("count", True),
        ("absent", True),
    ]


def test_a_sentence_with_a_false_check_is_struck_and_the_rest_stands():
    sentences = [said("A failed build is launched.", 0), said("It is built three times.", 0, 1)]
    checks = [quote("make all", 2), count("make", 3)]
    checked = kept(weighed(TREE, finding(evidence=checks, failure=sentences)))
    assert checked.candidate.failure == "A failed build is launched."
    why = "`make` matches 3 lines of run.sh: 2 lines: 2, 4"
    assert [(r.claim, r.detail) for r in checked.receipts if not r.ok] == [
        ('"It is built three times."', why)
    ]
    alone = weighed(TREE, finding(evidence=checks, failure=sentences[1:]))
    assert rejected(alone).detail == "`make` matches 3 lines of run.sh: 2 lines: 2, 4"


def test_a_candidate_of_which_no_sentence_is_left_is_rejected_with_the_figures():
    done = weighed(TREE, finding(evidence=[absent("make")], failure=[said("It is not built.", 0)]))
    assert rejected(done).detail == "no line of run.sh matches `make`: 2 lines: 2, 4"


def test_a_sentence_about_all_of_something_without_a_count_is_struck():
    sentences = [said("A failed build is launched.", 0), said("Every other step is guarded.", 0)]
    assert kept(weighed(TREE, finding(failure=sentences))).candidate.failure == "A failed build is launched."
    alone = weighed(TREE, finding(failure=sentences[1:]))
    assert rejected(alone).detail == "`Every` was not counted"


def test_a_sentence_on_evidence_that_is_not_given_is_struck():
    assert rejected(weighed(TREE, finding(failure=[said("It fails.", 0, 1)]))).detail == (
        "it rests on evidence that is not given"
    )


def test_the_quote_alone_bears_what_is_said_of_it():
    own = finding(evidence=[], failure=[said("A failed build is launched.")])
    checked = kept(weighed(sources({"run.sh": ONCE}), own))
    assert [r.claim for r in checked.receipts] == ["`make all` stands at run.sh:2"]


def test_the_quote_alone_bears_nothing_where_every_check_was_false():
    sentences = [said("A failed build is launched."), said("It is built three times.", 0)]
    done = weighed(TREE, finding(evidence=[count("make", 3)], failure=sentences))
    assert rejected(done).detail.startswith("no check of it holds; `make` matches 3 lines")


def test_evidence_that_no_sentence_names_counts_for_the_finding():
    checks = [count("make", 2), count("make", 3)]
    checked = kept(weighed(TREE, finding(evidence=checks, failure=[said("A failed build is launched.")])))
    assert [(r.kind, r.ok) for r in checked.receipts] == [("quote", True), ("count", True), ("count", False)]


def test_a_candidate_whose_core_is_struck_is_rejected_though_a_filler_stands():
    """ "Orders are charged twice" stood as a comment, on "This is in shop.py." alone."""
    sentences = [said("Orders are charged twice.", 0), said("This is in run.sh.")]
    done = weighed(TREE, finding(evidence=[quote("charge twice", 2)], failure=sentences))
    assert rejected(done).detail == (
        "its first sentence is struck: `charge twice` stands at run.sh:2: it does not"
    )
    sweeping = [said("Every order is charged twice.", 0), said("A failed build is launched.", 0)]
    assert rejected(weighed(TREE, finding(failure=sweeping))).detail == (
        "its first sentence is struck: `Every` was not counted"
    )


def test_a_core_of_which_one_check_holds_stands_by_what_it_says_next():
    sentences = [said("A failed build is launched.", 0, 1), said("It goes on.", 2)]
    checks = [quote("make none", 2), quote("make all", 2), quote("sync", 3)]
    assert kept(weighed(TREE, finding(evidence=checks, failure=sentences))).candidate.failure == "It goes on."


def test_what_is_to_be_done_and_what_it_costs_name_only_lines_that_were_checked():
    words = {
        "fix": "Append `|| exit 1` to all steps, as in line 40. Every caller is broken. See nothing.py:77.",
        "cost": "At line 9999 of run.sh a node waits. A node waits.",
        "line": 40,
        "quote": "make all\nsync",
        "evidence": [],
        "failure": [said("A failed build is launched at line 40."), said("It stops at line 9999.")],
    }
    checked = kept(weighed(TREE, finding(**words)))
    assert checked.candidate.fix == "Append `|| exit 1` to all steps, as in line 2."
    assert checked.candidate.cost == "A node waits."
    assert checked.candidate.failure == "A failed build is launched at line 2."
    assert [r.detail for r in checked.receipts if not r.ok] == [
        "no check speaks of line 9999",
        "no check speaks of line 9999",
        "`Every` was not counted",
        "no check speaks of nothing.py:77",
    ]


def test_a_title_and_a_cost_that_speak_of_all_without_a_count_are_not_repeated():
    words = {"title": "Every step is unguarded", "cost": "An allocation is lost. All results are wrong."}
    checked = kept(weighed(TREE, finding(**words)))
    assert checked.candidate.title == "A failed step does not stop the launch"
    assert checked.candidate.cost == "An allocation is lost."


def test_a_line_that_was_stated_wrongly_is_put_right_in_the_sentence_and_in_the_receipt():
    sentences = [said("The script goes on at line 478.", 0)]
    checked = kept(weighed(TREE, finding(evidence=[quote("sync", 478)], failure=sentences)))
    assert checked.candidate.failure == "The script goes on at line 3."
    assert checked.receipts[-1].claim == "`sync` stands at run.sh:3, not at line 478"


class Broken(Shelf):
    """A tree that git cannot read."""

    def text(self, side: Side, path: str) -> Text | None:
        raise UsageError("git cat-file failed")

    def search(self, side: Side, words: str, below: str = "") -> Sequence[tuple[str, int, str]]:
        raise UsageError("git grep failed")


def test_a_check_that_git_cannot_run_is_not_false():
    """The candidate was rejected like one whose checks are false, and the review was clean."""
    tree = TREE._replace(library=Broken({}), failed={})
    sentences = [said("A failed build is launched."), said("Nobody reads it.", 0)]
    checked = kept(weighed(tree, finding(evidence=[absent("reader", "")], failure=sentences)))
    assert checked.candidate.failure == "A failed build is launched."
    assert [(r.kind, r.ok) for r in checked.receipts] == [("quote", True), ("quote", False)]
    assert list(tree.failed) == ["git grep failed"]


def test_a_claim_that_git_cannot_look_for_is_rejected_and_the_next_one_is_not():
    """One such claim took all the others with it, and what they had cost."""
    tree = TREE._replace(library=Broken({}), failed={})
    elsewhere = finding(path="lib.sh", also=[{"path": "lib.sh", "line": 1, "quote": "step"}])
    done = weighed(tree, elsewhere, finding(evidence=[], failure="A failed build is launched."))
    assert [c.candidate.site.path for c in done.checked] == ["run.sh"]
    assert [r.detail for r in done.rejections] == ["it could not be looked for: git cat-file failed"]
    assert list(tree.failed) == ["git cat-file failed"]


# --- the place --------------------------------------------------------------------------------


def test_a_quote_that_stands_nowhere_makes_a_rejection():
    assert (
        rejected(weighed(TREE, finding(quote="make none"))).detail == "the quote does not stand in the file"
    )


@pytest.mark.parametrize(("line", "first", "other"), [(3, 2, 4), (2, 2, 4), (4, 4, 2)])
def test_two_places_are_one_candidate_that_no_comment_can_have(line: int, first: int, other: int):
    """The stated number decided between them, and the comment stood at the wrong one."""
    offered = {"start_line": line, "line": line, "text": "x"}
    checked = kept(weighed(TREE, finding(line=line, replacement=offered)))
    assert checked.aside == "2 candidates for its place"
    assert (checked.candidate.site.start_line, checked.candidate.also[0].start_line) == (first, other)
    assert checked.candidate.edit is None


@pytest.mark.parametrize(
    ("line", "quoted", "replacement", "edit"),
    [
        (5, "run", (5, 5), Edit(5, 5, "x")),
        (2, "make all\nsync", (3, 3), Edit(3, 3, "x")),
        (2, "make all", (1, 3), None),
        (7, "run", (7, 7), Edit(5, 5, "x")),
        (7, "run", (6, 7), None),
        (2, "make all", (4, 4), None),
        (2, "make all", (0, 0), None),
    ],
)
def test_a_replacement_goes_where_its_quote_went(
    line: int, quoted: str, replacement: tuple[int, int], edit: Edit | None
):
    start, end = replacement
    offered = {"start_line": start, "line": end, "text": "x"}
    checks: dict[str, Any] = {"evidence": [], "failure": [said("It fails.")]}
    checked = kept(weighed(TREE, finding(line=line, quote=quoted, replacement=offered, **checks)))
    assert checked.candidate.edit == edit


# --- newness ----------------------------------------------------------------------------------

OLD = sources(
    {"run.sh": ONCE, "lib.sh": "step\n"},
    {"run.sh": "set -ex\nmake all\n", "lib.sh": "step\n"},
    added={"run.sh": [3], "lib.sh": []},
)


@pytest.mark.parametrize(
    ("changes", "new"),
    [
        ({}, False),
        ({"quote": "make all\nsync"}, True),
        ({"cause": {"path": "run.sh", "line": 3, "quote": "sync"}}, True),
        ({"cause": {"path": "run.sh", "line": 5, "quote": "run"}}, False),
        ({"cause": {"path": "run.sh", "line": 3, "quote": "an added line"}}, False),
        ({"also": [{"path": "run.sh", "line": 3, "quote": "sync"}]}, False),
        ({"path": "lib.sh", "line": 1, "quote": "step"}, False),
        (
            {
                "path": "lib.sh",
                "line": 1,
                "quote": "step",
                "cause": {"path": "run.sh", "line": 3, "quote": "sync"},
            },
            True,
        ),
    ],
)
def test_new_is_what_touches_an_added_line_or_has_one_as_its_cause(changes: dict[str, Any], new: bool):
    assert kept(weighed(OLD, finding(**changes))).preexisting is not new


def test_a_cause_that_stands_at_several_places_is_the_one_that_the_change_touches():
    """It was dropped, and what it made new counted as old."""
    tree = sources({"run.sh": "sync\nmake all\nsync\n"}, added={"run.sh": [3]})
    checked = kept(weighed(tree, finding(cause={"path": "run.sh", "line": 2, "quote": "sync"})))
    assert (checked.preexisting, checked.aside) == (False, "")
    assert [site.start_line for site in checked.candidate.also] == [3]


@pytest.mark.parametrize(
    ("changes", "aside"),
    [
        ({"quote": "an added line"}, "its cause could not be placed"),
        ({"path": "gone.sh"}, "its cause could not be placed"),
        ({"line": 5, "quote": "run"}, ""),  # it has its place, and made nothing new
    ],
)
def test_what_is_old_only_because_its_cause_has_no_place_says_so(changes: dict[str, Any], aside: str):
    cause = {"path": "run.sh", "line": 3, "quote": "sync"} | changes
    checked = kept(weighed(OLD, finding(cause=cause)))
    assert (checked.preexisting, checked.aside) == (True, aside)
    new = kept(weighed(OLD, finding(quote="make all\nsync", cause=cause)))
    assert (new.preexisting, new.aside) == (False, "")


def test_a_line_that_was_taken_away_can_be_the_cause():
    tree = sources(
        {"run.sh": ONCE}, {"run.sh": "set -ex\nmake all\n"}, added={}, removed={"run.sh": [(1, "set -ex")]}
    )
    cause = {"path": "run.sh", "line": 1, "quote": "set -ex"}
    checked = kept(weighed(tree, finding(cause=cause)))
    assert not checked.preexisting
    assert [(site.side, site.quote) for site in checked.candidate.also] == [(Side.LEFT, "set -ex")]
    assert not kept(
        weighed(tree, finding(side="LEFT", line=1, quote="set -ex", evidence=[], failure="Gone."))
    ).preexisting


# --- the law ----------------------------------------------------------------------------------

numbers = st.integers(-2, 9)
words = st.sampled_from(
    ["make all", "sync", "make none", "", "every step", "(a+)+", ".*", "run", "é", "\ud800"]
)
evidence = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["quote", "count", "absent", "defined", "called", "vibes"]),
        "path": st.sampled_from(["run.sh", "", "x"]),
    },
    optional={
        "line": numbers,
        "text": words,
        "pattern": words,
        "expected": numbers,
        "guard": words,
        "guarded": numbers,
    },
)
sentences = st.fixed_dictionaries(
    {
        "text": st.sampled_from(["It fails.", "Every step fails at line 3.", ""]),
        "evidence": st.lists(numbers, max_size=3),
    }
)
places = st.fixed_dictionaries({"path": st.sampled_from(["run.sh", "x"]), "line": numbers, "quote": words})
drafts = st.builds(
    lambda place, **changes: finding(**place, **changes),
    places,
    evidence=st.lists(evidence, max_size=4),
    failure=st.lists(sentences, max_size=3),
    also=st.lists(places, max_size=2),
    cause=st.none() | places,
    side=st.sampled_from(["LEFT", "RIGHT"]),
)


@few
@given(st.lists(drafts, max_size=8))
def test_each_draft_is_checked_or_rejected_and_what_is_left_holds(findings: list[dict[str, Any]]):
    done = weighed(TREE, *findings)
    usable = [f for f in findings if f["quote"].strip() and any(s["text"] for s in f["failure"])]
    assert len(done.checked) + len(done.rejections) == len(usable)
    for checked in done.checked:
        assert checked.receipts[0].ok
        site = checked.candidate.site
        assert TREE.text(site.side, site.path).quote(site.start_line, site.line) == site.quote  # type: ignore[union-attr]
