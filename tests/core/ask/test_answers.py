"""A finder's answer: each field is clamped or refused, and no finding takes another one with it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.ask.answers import LIMITS, MALFORMED, Looked, read_answer
from reviewbot.core.types import Answer, Edit, Severity, Side
from tests.core.ask.claims import QUESTION, SKILL, answer, finding, quote, read, sources, weighed
from tests.strategies import few


def problem(given: Answer) -> str:
    reading = read_answer(QUESTION, given, SKILL)
    assert (reading.drafts, reading.rejections) == ((), ())
    (found,) = reading.problems
    assert (found.stage, found.what) == ("model", QUESTION.about)
    return found.why


# --- the whole answer -------------------------------------------------------------------------


def test_a_finding_is_read_with_its_sentences_and_evidence():
    (draft,) = read(finding(replacement={"start_line": 2, "line": 2, "text": "make all || exit 1\n"})).drafts
    c = draft.candidate
    assert (c.skill, c.slug, c.rank, c.severity) == ("launchers", SKILL.classes[0].slug, 1, Severity.WARNING)
    assert (c.site.path, c.site.start_line, c.site.line, c.site.quote) == ("run.sh", 2, 2, "make all")
    assert c.edit == Edit(2, 2, "make all || exit 1")
    assert [(s.text, s.evidence) for s in draft.sentences] == [("A failed build is launched.", (0,))]
    assert [(claim.kind, claim.pattern, claim.line) for claim in c.claims] == [("quote", "make all", 2)]


def test_no_findings_beside_a_summary_is_clean():
    reading = read_answer(QUESTION, answer(summary="Nothing to say."), SKILL)
    assert (reading.drafts, reading.rejections, reading.problems) == ((), (), ())


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        7,
        "all is well",
        {},
        {"summary": "All is well."},
        {"findings": {}, "summary": "x"},
        {"findings": "[", "summary": "x"},
    ],
    ids=repr,
)
def test_what_has_no_findings_is_not_clean_whatever_its_summary(payload: object):
    assert problem(Answer(payload=payload)).startswith("not-json")


def test_the_reason_of_a_failed_answer_is_told():
    assert problem(Answer(reason="refused", detail="cyber")) == "refused: cyber"
    assert problem(Answer(payload={"findings": []}, reason="cut-off")) == "cut-off"


def test_of_500_findings_the_surest_eight_are_read_and_the_rest_is_capped():
    reading = read(*(finding(title=f"Number {n}", confidence=n % 101) for n in range(500)))
    assert [d.candidate.confidence for d in reading.drafts] == [100] * 4 + [99] * 4
    assert len(reading.rejections) == 492
    assert {r.reason for r in reading.rejections} == {"capped"}


def test_what_was_looked_at_is_read_by_class():
    rows = [
        {"class": "an-absent-value", "result": "held"},
        {"class": "An absent value", "result": "nothing-found"},
        {"class": "an-absent-value", "result": "perfect"},
        {"class": "single-quotes-on-purpose", "result": "held"},
        None,
    ]
    reading = read_answer(QUESTION, answer(looked=rows), SKILL)
    assert reading.looked == (Looked("an-absent-value", "held"), Looked("an-absent-value", "nothing-found"))


# --- one finding ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "reason", "detail"),
    [
        ({"class": "sql-injection"}, "out-of-scope", "`sql-injection` is no class of launchers"),
        ({"class": None}, "out-of-scope", "no class"),
        ({"class": "single-quotes-on-purpose"}, "suppressed", "launchers forbids to report it"),
        ({"quote": None}, "unquoted", "it quotes no line of a file"),
        ({"quote": " \n "}, "unquoted", "it quotes no line of a file"),
        ({"path": ["run.sh"]}, "unquoted", "it quotes no line of a file"),
        ({"path": ""}, "unquoted", "it quotes no line of a file"),
        ({"quote": "x" * 4_001}, "unquoted", "4,001 characters"),
        ({"failure": []}, "unquoted", "it does not say what goes wrong"),
        ({"failure": [{"text": 3}]}, "unquoted", "it does not say what goes wrong"),
    ],
)
def test_a_finding_that_cannot_be_used_is_a_rejection_and_takes_no_other_with_it(
    changes: dict[str, object], reason: str, detail: str
):
    reading = read(finding(), finding(**changes))
    (rejection,) = reading.rejections
    assert (rejection.reason, len(reading.drafts)) == (reason, 1)
    assert detail in rejection.detail


@pytest.mark.parametrize("item", [None, 3, "x", [finding()]], ids=repr)
def test_what_is_no_object_is_a_rejection(item: object):
    (rejection,) = read(item).rejections
    assert rejection.detail == "the finding is no object"


@pytest.mark.parametrize(
    "name", ["An absent value", "an_absent_value", "AN ABSENT VALUE.", "an-absent-values", "a-absent-value"]
)
def test_a_class_is_found_by_its_title_and_by_a_slug_that_is_nearly_right(name: str):
    (draft,) = read(finding(**{"class": name})).drafts
    assert draft.candidate.slug == "an-absent-value"


def test_a_path_that_no_file_can_have_is_not_carried_into_the_report():
    """One of 1 MB made a report of 2 MB."""
    long = "a/" * 500_000
    refused = read(finding(path=long))
    assert [r.reason for r in refused.rejections] == ["unquoted"]
    checks = [{"kind": kind, "path": long, "pattern": "x"} for kind in ("quote", "count", "defined")]
    also = [{"path": long, "line": 1, "quote": "x"}]
    (draft,) = read(finding(evidence=checks, also=also, cause=also[0])).drafts
    assert {claim.kind for claim in draft.candidate.claims} == {MALFORMED}
    assert len(str((refused, draft))) < 10_000


@pytest.mark.parametrize(
    ("given_", "percent"),
    [
        *(
            (80, 80),
            (250, 100),
            (-3, 0),
            (0.85, 85),
            (1.0, 100),
            (1, 1),
            ("70", 70),
            (math.nan, 0),
            (math.inf, 100),
        ),
        *((None, 0), ("high", 0), ([], 0), (10**400, 0)),
        *(("90%", 90), (" 87.5 % ", 88), ("0.9", 90), ("1.0", 100), ("0.5%", 0), ("1.5", 2), ("0.x", 0)),
    ],
)
def test_confidence_is_a_percentage_or_none_at_all(given_: object, percent: int):
    (draft,) = read(finding(confidence=given_)).drafts
    assert draft.candidate.confidence == percent


@pytest.mark.parametrize(
    ("name", "severity"),
    [("a-failed-step-does-not-stop-the-launch", Severity.WARNING), ("an-absent-value", Severity.NOTE)],
)
def test_the_severity_is_that_of_the_class_whatever_a_model_says(name: str, severity: Severity):
    (draft,) = read(finding(**{"class": name, "severity": "blocker"})).drafts
    assert draft.candidate.severity is severity


def test_words_are_one_line_without_lone_surrogates_and_bounded():
    (draft,) = read(finding(title="a\ud800b\n\nc", cost="é" * 10_000, failure="It\nfails.")).drafts
    c = draft.candidate
    assert c.title == "a?b c"
    assert (len(c.cost), c.cost[-1]) == (LIMITS["cost"], "…")
    assert c.failure == "It fails."


def test_the_side_is_base_only_where_it_is_said():
    sides = [
        read(finding(side=side)).drafts[0].candidate.site.side for side in ("LEFT", "left", None, "RIGHT")
    ]
    assert sides == [Side.LEFT, Side.RIGHT, Side.RIGHT, Side.RIGHT]


@pytest.mark.parametrize(
    "replacement",
    [
        {"start_line": 3, "line": 2, "text": "x"},
        {"start_line": 0, "line": 0, "text": "x"},
        {"line": 2, "text": None},
        {"start_line": 1, "line": 2, "text": "x" * 5_000},
        "x",
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_replacement_that_has_no_place_or_no_text_is_none(replacement: object):
    (draft,) = read(finding(replacement=replacement)).drafts
    assert draft.candidate.edit is None


def test_evidence_that_cannot_be_run_keeps_its_number():
    (draft,) = read(finding(evidence=[None, {"kind": "vibes"}, quote("make all", 2)])).drafts
    assert [claim.kind for claim in draft.candidate.claims] == ["malformed", "malformed", "quote"]


def test_a_sentence_that_rests_on_more_evidence_than_is_read_rests_on_some_that_is_not_given():
    """The thirteenth citation was cut off, and the sentence stood without what it rests on."""
    checks = [quote("make all", 2)] * 13
    cited = [*range(12), *[0] * 20, 12]
    (draft,) = read(finding(evidence=checks, failure=[{"text": "It fails.", "evidence": cited}])).drafts
    assert draft.sentences[0].evidence[-1] == len(draft.candidate.claims) == 12
    (rejection,) = weighed(
        sources({"run.sh": "set -x\nmake all\n"}),
        *[finding(evidence=checks, failure=[{"text": "It fails.", "evidence": cited}])],
    ).rejections
    assert rejection.detail == "it rests on evidence that is not given"


def test_evidence_that_has_no_number_is_one_that_is_not_given():
    (draft,) = read(finding(failure=[{"text": "It fails.", "evidence": [None, "1", 10**9]}])).drafts
    assert draft.sentences[0].evidence == (-1, 1, 1_000)


# --- the law ----------------------------------------------------------------------------------

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=9)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = [*finding(), "also", "cause"]
spoiled = st.dictionaries(st.sampled_from(FIELDS), values, max_size=4).map(lambda changes: finding(**changes))


@few
@given(st.lists(spoiled | values, max_size=10))
def test_each_finding_of_an_answer_is_a_draft_or_a_rejection(findings: list[object]):
    reading = read(*findings)
    assert len(reading.drafts) + len(reading.rejections) == len(findings)
    assert reading.problems == ()


@given(values)
def test_an_answer_that_is_not_read_is_never_clean(payload: object):
    reading = read_answer(QUESTION, Answer(payload=payload), SKILL)
    whole = isinstance(payload, dict) and isinstance(payload.get("findings"), list)
    assert reading.problems or whole


def test_deep_nesting_raises_nothing():
    deep: object = "[" * 100_000
    assert problem(Answer(payload=deep)).startswith("not-json")
    nested: list[object] = []
    for _ in range(50_000):
        nested = [nested]
    (rejection,) = read(finding(failure=nested, also=nested, evidence=nested, quote=nested)).rejections
    assert rejection.reason == "unquoted"
