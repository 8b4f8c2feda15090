"""A case against its review, and the sums for each class."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.report.skilltests import render_json, render_text
from reviewbot.core.skill.cases import Case, Expected
from reviewbot.core.skill.outcome import Outcome, SkillTests, compare
from reviewbot.core.types import DefectClass, Finding, Grade, Origin
from tests import builders

WAIT = DefectClass(1, "wait", "Wait", "")
MASK = DefectClass(2, "mask", "Mask", "")
QUOTES = DefectClass(3, "quotes", "Quotes", "", kind="suppress")
SKILL = builders.skill(classes=(WAIT, MASK, QUOTES))


def case(*expected: tuple[str, str, int | None], **changes: Any) -> Case:
    rows = tuple(Expected(*row, at=3) for row in expected)
    return Case("a-case", "cases/a-case/expect.toml", SKILL, (WAIT,), False, rows)._replace(**changes)


def found(slug: str = "wait", path: str = "run.sh", line: int = 4, **changes: Any) -> Finding:
    return builders.finding(slug=slug, path=path, line=line, quote="x", **changes)


def outcome(of: Case, *findings: Finding, **changes: Any) -> Outcome:
    return compare(of, builders.review(*findings, **changes))


def test_an_expected_finding_is_found():
    for line in (4, None):
        o = outcome(case(("wait", "run.sh", line)), found())
        assert (len(o.found), o.missed, o.false_alarms) == (1, (), ())


def test_at_another_line_in_another_file_or_of_another_class_it_is_missed_and_a_false_alarm():
    for other in (found(line=5), found(path="x.sh"), found("mask")):
        o = outcome(case(("wait", "run.sh", 4)), other)
        assert (o.found, len(o.missed), o.false_alarms) == ((), 1, (other,))


def test_one_finding_is_counted_for_one_expectation():
    two = case(("wait", "run.sh", None), ("wait", "run.sh", None))
    assert len(outcome(two, found()).missed) == 1
    assert len(outcome(case(("wait", "run.sh", None)), found(), found(line=9)).false_alarms) == 1


def test_an_expectation_with_a_line_takes_its_finding_first():
    o = outcome(case(("wait", "run.sh", None), ("wait", "run.sh", 4)), found(), found(line=9))
    assert (len(o.found), o.missed, o.false_alarms) == (2, (), ())


def test_a_hint_is_a_false_alarm_like_any_other():
    assert len(outcome(case(), found(grade=Grade.HINT)).false_alarms) == 1


def test_what_was_there_before_counts_for_nothing():
    o = outcome(case(("wait", "run.sh", 4)), found(preexisting=True))
    assert (len(o.missed), o.false_alarms) == (1, ())


def test_a_gate_counts_where_it_is_expected_and_in_a_suppressing_class():
    said = found("gate-ruff", origin=Origin.GATE, detector=None)
    assert outcome(case(), said).false_alarms == ()
    assert len(outcome(case(("gate-ruff", "run.sh", None)), said).found) == 1
    assert (
        outcome(
            case(("gate-ruff", "run.sh", None)), said, found("gate-bash-n", origin=Origin.GATE)
        ).false_alarms
        == ()
    )
    assert outcome(case(classes=(QUOTES,)), said).false_alarms == (said,)


def test_what_needs_a_model_is_not_missed_but_its_false_alarms_count():
    of = case(("wait", "run.sh", 4), needs_model=True)
    o = outcome(of, found("mask"))
    assert (o.missed, len(o.for_model), len(o.false_alarms)) == ((), 1, 1)
    assert len(outcome(of, found()).found) == 1


def test_a_review_that_is_not_whole_fails_its_case_and_names_why():
    o = outcome(case(), incomplete=(("gate", "bash -n run.sh", "not installed"),))
    tests = SkillTests((SKILL,), (o,))
    assert tests.verdict == "incomplete"
    (failure,) = tests.failures()
    assert failure.kind == "incomplete"
    assert failure.what == "the review is not whole: gate: bash -n run.sh: not installed"


def test_the_sums_of_each_class():
    outcomes = (
        outcome(case(("wait", "run.sh", 4)), found()),
        outcome(case(("wait", "run.sh", 4)), found("mask")),
        outcome(case()),
        outcome(case(("wait", "run.sh", 4), classes=(WAIT, MASK), needs_model=True)),
    )
    wait, mask, quotes = (row[2:] for row in SkillTests((SKILL,), outcomes).rows())
    assert wait == (3, 1, 1, 1, 0, 1)  # positive, clean, found, missed, false alarms, for a model
    assert mask == (0, 1, 0, 0, 1, 0)
    assert quotes == (0, 0, 0, 0, 0, 0)


def test_what_a_gate_says_is_summed_under_the_class_of_its_case():
    o = outcome(case(("gate-ruff", "run.sh", None)), found("gate-ruff", origin=Origin.GATE))
    assert [row.found for row in SkillTests((SKILL,), (o,)).rows()] == [1, 0, 0]


def test_a_class_with_too_few_cases_fails_where_that_is_asked_for():
    one = (outcome(case(("wait", "run.sh", 4)), found()), outcome(case(classes=(QUOTES,))))
    assert SkillTests((SKILL,), one).verdict == "passed"
    tests = SkillTests((SKILL,), one, needed=1)
    assert [(f.slug, f.kind, f.what) for f in tests.failures()] == [
        ("wait", "too-few-cases", "has 0 clean of 1 cases"),
        ("mask", "too-few-cases", "has 0 positive and 0 clean of 1 cases"),
    ]  # and QUOTES, which can have clean cases alone, has one
    assert tests.verdict == "failed"


def test_a_failure_says_what_was_expected_and_what_came():
    o = outcome(case(("wait", "run.sh", 4)), found(line=7, failure="It hangs."))
    missed, alarm = SkillTests((SKILL,), (o,)).failures()
    assert missed.source == "cases/a-case/expect.toml:3"
    assert missed.what == "expected wait at run.sh:4; what came: wait at run.sh:7"
    assert alarm.what == "swallowed-failure (strong) said wait at run.sh:7, which is not expected: It hangs."


def test_a_strangers_text_cannot_command_the_terminal():
    o = outcome(case(), found(path="a\x1b[2Jb.sh", failure="\x07"))
    tests = SkillTests((SKILL,), (o,))
    assert not {"\x1b", "\x07"} & set(render_text(tests, 80))
    assert render_json(tests).isascii()


places = st.tuples(st.sampled_from(["wait", "mask"]), st.sampled_from(["a", "b"]), st.integers(1, 3))
asked = st.tuples(
    st.sampled_from(["wait", "mask"]), st.sampled_from(["a", "b"]), st.none() | st.integers(1, 3)
)


@given(st.lists(asked, max_size=6), st.lists(places, max_size=6), st.booleans())
def test_nothing_is_dropped(expected, came, needs_model):
    """Every expectation and every finding ends in exactly one place, and they pair up one to one."""
    findings = [found(*place) for place in came]
    o = outcome(case(*expected, needs_model=needs_model), *findings)
    assert len(o.found) + len(o.missed) + len(o.for_model) == len(expected)
    assert len(o.found) + len(o.false_alarms) == len(findings)
    assert not o.missed if needs_model else not o.for_model


def test_a_case_of_which_nothing_was_looked_at_fails():
    nothing = builders.review(paths=(), uncovered=(("run.sh", "no skill claims it"),))
    clean = SkillTests((SKILL,), (compare(case(), nothing),))
    (failure,) = clean.failures()
    assert (failure.kind, failure.place) == ("out-of-scope", "run.sh")
    assert failure.what == "nothing of this case was looked at: run.sh: no skill claims it"
    assert clean.verdict == "failed"


def test_a_missed_finding_in_a_file_out_of_scope_says_why():
    some = builders.review(uncovered=(("run.sh", "no skill claims it"),))
    (failure,) = SkillTests((SKILL,), (compare(case(("wait", "run.sh", 4)), some),)).failures()
    assert failure.what == "expected wait at run.sh:4; no skill claims it"
