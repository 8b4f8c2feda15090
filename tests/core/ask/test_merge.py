"""One finding for each root cause, and how sure all readings together are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.ask.merge import Merged, join, kinship, merge_passes
from reviewbot.core.types import Edit, Grade, ModelTerms, Origin, Receipt, Severity, Side, Site
from reviewbot.core.verify import Checked
from tests.builders import candidate
from tests.strategies import few

TERMS = ModelTerms()
LINE = "make all"


def claim(line: int = 2, quote: str = LINE, path: str = "run.sh", **changes: Any) -> Checked:
    whole = candidate(
        path=path, line=line, quote=quote, origin=Origin.MODEL, detector=None, **{"confidence": 80, **changes}
    )
    return Checked(whole, (Receipt("quote", f"stands at {path}:{line}", path, line, True),))


def certain(line: int = 2, quote: str = LINE, **changes: Any) -> Checked:
    found = candidate(path="run.sh", line=line, quote=quote, **changes)
    return Checked(found, (Receipt("absent", "no line sets errexit", "run.sh", None, True),))


def passes(*read: Sequence[Checked]) -> Merged:
    """What is left of readings that all looked for the same classes."""
    found = [(lens, c) for lens, own in enumerate(read) for c in own]
    return merge_passes(found, {c.candidate.slug: len(read) for _, c in found}, TERMS)


# --- one root cause ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "kin"),
    [
        (claim(title="In other words"), 2),
        (claim(1, "set -x\nmake all\nsync"), 2),
        (claim(40), 1),
        (claim(40, "run"), 0),
        (claim(path="other.sh"), 0),
        (claim(slug="an-absent-value"), 2),  # the same words
        (claim(slug="an-absent-value", title="A name may be empty", failure="The path is cut."), 0),
        (claim(slug="an-absent-value", quote="make all\nsync"), 0),
        (claim(40, slug="an-absent-value"), 0),
        (claim(40, "run", also=(Site("run.sh", 2, 2, LINE),)), 2),
        (claim(40, "run", also=(Site("run.sh", 2, 2, LINE, Side.LEFT),)), 0),
    ],
)
def test_what_is_one_root_cause(other: Checked, kin: int):
    assert kinship(claim().candidate, other.candidate) == kin
    assert kinship(other.candidate, claim().candidate) == kin


# --- several readings -------------------------------------------------------------------------


def test_a_reading_that_did_not_see_it_counts_as_nothing():
    merged = passes([claim(confidence=80)], [claim(confidence=70)], [])
    (kept,) = merged.checked
    assert (kept.candidate.confidence, kept.aside) == (50, "")
    assert [r.reason for r in merged.rejections] == ["duplicate"]


def test_one_reading_that_says_it_twice_counts_once():
    merged = passes([claim(confidence=60), claim(confidence=90, title="Again")])
    assert [(c.candidate.confidence, c.candidate.title) for c in merged.checked] == [(90, "Again")]
    assert len(merged.rejections) == 1


@pytest.mark.parametrize(
    ("confidence", "count", "aside", "stays"),
    [
        (50, 1, "", True),
        (49, 1, "confidence 49, a comment asks for 50", True),
        (35, 1, "confidence 35, a comment asks for 50", True),
        (34, 1, "", False),
        (45, 3, "", True),
        (44, 3, "confidence 44, a comment asks for 45", True),
        (49, 2, "confidence 49, a comment asks for 50", True),
    ],
)
def test_what_is_not_sure_enough_stands_aside_or_is_rejected(
    confidence: int, count: int, aside: str, stays: bool
):
    merged = passes(*[[claim(confidence=confidence)]] * count)
    assert [c.aside for c in merged.checked] == [aside] * stays
    low = [r.detail for r in merged.rejections if r.reason == "low-confidence"]
    assert low == [f"confidence {confidence}, 35 is asked"] * (not stays)


def test_what_one_reading_shows_to_be_new_is_new():
    old = claim(confidence=90, title="Old")._replace(preexisting=True, aside="its cause could not be placed")
    (kept,) = passes([old], [claim(confidence=80, title="New")]).checked
    assert (kept.preexisting, kept.aside, kept.candidate.title) == (False, "", "New")
    assert kept.candidate.confidence == 85


def test_a_reading_that_did_not_look_for_a_class_does_not_count_against_it():
    found = [(0, claim(slug="one", confidence=60)), (0, claim(40, "run", slug="two", confidence=60))]
    merged = merge_passes(found, {"one": 1, "two": 2}, TERMS)
    assert [c.candidate.slug for c in merged.checked] == ["one"]
    assert [(r.candidate.slug, r.detail) for r in merged.rejections] == [
        ("two", "confidence 30, 35 is asked")
    ]


def test_a_reading_that_finds_what_it_was_not_asked_for_has_looked():
    found = [(0, claim(confidence=90)), (2, claim(confidence=90))]
    (kept,) = merge_passes(found, {"a-failed-step": 1}, TERMS).checked
    assert kept.candidate.confidence == 90


def test_an_ambiguous_place_stays_aside_however_sure():
    (kept,) = passes([claim(confidence=99)._replace(aside="2 candidates for its place")]).checked
    assert kept.aside == "2 candidates for its place"


# --- with detectors and gates -----------------------------------------------------------------


def test_a_detector_leads_and_has_the_receipts_of_both():
    found, said = certain(), claim(edit=Edit(2, 2, "make all || exit 1"))
    merged = join([found], [said])
    (kept,) = merged.checked
    assert kept.candidate.detector == "swallowed-failure"
    assert kept.receipts == (*found.receipts, *said.receipts)
    assert kept.candidate.edit == said.candidate.edit
    (rejection,) = merged.rejections
    assert (rejection.candidate, rejection.reason) == (said.candidate, "duplicate")
    assert rejection.detail == "one root cause with swallowed-failure at run.sh:2"


def test_further_places_of_a_model_do_not_join_what_is_certain_without_a_second_reading():
    merged = join([certain()], [claim(also=(Site("run.sh", 9, 9, "run"),))])
    assert [c.candidate.also for c in merged.checked] == [()]
    other = claim(9, "run", also=(Site("run.sh", 2, 2, LINE),))
    assert join([certain()], [other]).checked == (certain(), other)


def test_a_new_claim_on_the_line_of_an_old_finding_stands_beside_it():
    """A deleted guard made the line wrong in a new way, and the claim was a duplicate of the old finding."""
    old, cause = certain()._replace(preexisting=True), Site("run.sh", 9, 9, "run", Side.LEFT)
    new = claim(also=(cause,))
    assert join([old], [new]) == Merged((old, new), ())
    assert join([old], [claim()._replace(preexisting=True)]).checked[0].preexisting
    assert join([certain()], [claim()._replace(preexisting=True)]).checked[0].preexisting is False


def test_a_new_line_that_repeats_an_old_one_is_no_duplicate_of_it():
    old = certain(2)._replace(preexisting=True)
    assert join([old], [claim(40)]) == Merged((old, claim(40)), ())
    assert join([certain(2)], [claim(40)]) == Merged((certain(2), claim(40)), ())


@pytest.mark.parametrize("first", [certain(), claim(confidence=90)])
def test_another_class_that_says_something_else_of_the_line_is_another_finding(first: Checked):
    other = claim(slug="an-absent-value", title="A name may be empty", failure="The path is cut to /.")
    assert join([first], [other]) == Merged((first, other), ())
    assert len(passes([first, other]).checked) == 2


def test_of_two_skills_the_one_that_names_the_new_cause_speaks():
    old = claim(confidence=95, title="Old")._replace(preexisting=True)
    merged = join([], [old, claim(title="New")])
    assert [(c.candidate.title, c.preexisting) for c in merged.checked] == [("New", False)]


def test_of_two_findings_of_the_same_words_the_one_at_the_place_takes_the_claim():
    merged = join([certain(2), certain(40)], [claim(40)])
    assert [len(c.receipts) for c in merged.checked] == [1, 2]


def test_the_findings_of_detectors_are_never_merged_with_each_other():
    found = [certain(2), certain(2, title="Another fault of the same line"), certain(40)]
    assert join(found, []).checked == tuple(found)


def test_of_two_claims_the_surer_one_stays():
    merged = join([], [claim(confidence=60, title="Less sure"), claim(confidence=90, title="Sure")])
    assert [c.candidate.title for c in merged.checked] == ["Sure"]


def test_a_gate_leads_where_the_statement_is_the_same():
    gate = certain(slug="gate-shellcheck", detector=None, origin=Origin.GATE, grade=Grade.PROVEN)
    assert [c.candidate.origin for c in join([gate], [claim()]).checked] == [Origin.GATE]


# --- the law ----------------------------------------------------------------------------------

claims = st.builds(
    claim,
    line=st.integers(1, 4),
    quote=st.sampled_from([LINE, "run", "make all\nrun"]),
    path=st.sampled_from(["run.sh", "b.sh"]),
    slug=st.sampled_from(["one", "two"]),
    confidence=st.integers(0, 100),
    severity=st.sampled_from(Severity),
)


@few
@given(
    st.lists(st.lists(claims, max_size=5), min_size=1, max_size=3),
    st.lists(st.builds(certain, st.integers(1, 4)), max_size=3),
)
def test_each_candidate_is_kept_or_rejected(read: list[list[Checked]], found: list[Checked]):
    merged = passes(*read)
    assert len(merged.checked) + len(merged.rejections) == sum(map(len, read))
    assert all(0 <= c.candidate.confidence <= 100 for c in merged.checked)
    joined = join(found, merged.checked)
    assert len(joined.checked) + len(joined.rejections) == len(found) + len(merged.checked)
    assert [c.candidate.detector for c in joined.checked[: len(found)]] == ["swallowed-failure"] * len(found)
