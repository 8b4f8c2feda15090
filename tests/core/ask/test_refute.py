"""The second reading: what is asked, and what the answers make of the claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.assets import prompts
from reviewbot.core.ask.find import Frame
from reviewbot.core.ask.prompts import Prompts
from reviewbot.core.ask.refute import Verdicts, apply, due, questions
from reviewbot.core.ask.schema import REFUTE
from reviewbot.core.types import Answer, Grade, ModelTerms, Origin, Refutation
from reviewbot.core.verify import Checked, conclude
from tests.builders import candidate
from tests.core.ask.claims import APP_HEAD, claimed, sources
from tests.core.ask.claims import APP_TREE as TREE
from tests.strategies import few

TERMS = ModelTerms()
FRAME = Frame(Prompts(prompts()), TERMS, "9f3a1c77d2e04b55", "[]")


def heard(checked: Sequence[Checked], answers: Sequence[Answer]) -> Verdicts:
    """What becomes of `checked` where those that are due are answered so."""
    return apply(checked, zip(due(checked), answers, strict=True), TREE)


def hint(**changes: Any) -> Checked:
    return Checked(candidate(grade=Grade.HINT, path="app.py", line=6, quote="box", **changes), ())


def reply(
    verdict: object, quote: str = "", path: str = "box.py", line: int = 2, reason: str = "Because."
) -> Answer:
    counter = {"path": path, "line": line, "quote": quote} if quote else None
    return Answer(payload={"verdict": verdict, "counter": counter, "reason": reason})


GOOD = "return None if path is None else Box(path)"


# --- the question -----------------------------------------------------------------------------


def test_one_fresh_question_a_claim_that_wants_a_second_reading():
    strong = Checked(candidate(), ())
    old = claimed()._replace(preexisting=True)
    wanted = due([claimed(), strong, hint(), old])
    assert wanted == (claimed(), hint())
    made = questions(wanted, TREE, FRAME)
    assert [q.about for q in made] == [
        "second reading of an-absent-value at app.py:6",
        "second reading of a-failed-step-does-not-stop-the-launch at app.py:6",
    ]
    first = made[0]
    assert (first.purpose, first.model, first.effort) == ("refute", TERMS.refute, TERMS.refute_effort)
    assert (first.schema, first.tools) == (REFUTE, "[]")
    assert "A size is read of what may be None. open_box may return None." in first.data[0].text


def test_no_question_waits_for_another_for_the_sake_of_its_rules():
    """They were marked: all but the first waited for its whole answer, to save a thousand cached tokens."""
    made = questions([claimed(), claimed(title="Another")], TREE, FRAME)
    assert [part.marked for q in made for part in (*q.system, *q.data)] == [False] * 4


# --- the answer -------------------------------------------------------------------------------


def judged(answer: Answer, checked: Checked | None = None) -> Refutation:
    done = heard([checked or claimed()], [answer])
    assert done.rejections == ()
    return done.checked[0].refutation


def test_a_claim_that_is_refuted_by_a_quote_that_stands_goes_to_the_ledger():
    done = heard([claimed()], [reply("refuted", GOOD, line=9)])
    (rejection,) = done.rejections
    assert (done.checked, done.problems, rejection.reason) == ((), (), "refuted")
    assert rejection.detail == f"Because. `{GOOD}` stands at box.py:2, not at line 9."


@pytest.mark.parametrize(
    "answer",
    [
        reply("refuted"),
        reply("refuted", "return Box()"),
        reply("refuted", "}"),
        reply("refuted", GOOD, "gone.py"),
    ],
)
def test_who_refutes_without_a_quote_that_stands_is_unsure(answer: Answer):
    assert judged(answer).verdict == "unsure"
    assert heard([claimed()], [answer]).problems == ()


@pytest.mark.parametrize(
    "answer",
    [
        reply("refuted", "    box = open_box(path)", "app.py", 6),
        reply("refuted", "def open_box(path):", "box.py", 1),
        reply("refuted", "# open_box never returns None", "app.py", 1),
    ],
)
def test_the_claim_itself_a_bare_name_and_a_comment_of_the_change_refute_nothing(answer: Answer):
    head = {**APP_HEAD, "app.py": APP_HEAD["app.py"].replace("import os", "# open_box never returns None")}
    tree = sources(head, added={"app.py": [1, 6, 7]})
    (kept,) = apply([claimed()], [(claimed(), answer)], tree).checked
    assert kept.refutation.verdict == "unsure"


def test_a_reason_says_of_all_only_what_was_counted():
    said = reply("confirmed", reason="Every caller is broken. The path leads there.")
    assert judged(said) == Refutation("confirmed", "The path leads there.")


def test_a_reason_names_only_lines_that_are_there():
    said = "box.py:2 gives None. See nothing.py:77. It fails at line 99999 of nothing.py. So does line 7."
    assert judged(reply("confirmed", reason=said)).reason == "box.py:2 gives None. So does line 7."


def test_a_secret_that_a_model_repeats_is_in_no_prose():
    token = "ghp_" + "aB3" * 12
    assert token not in judged(reply("confirmed", reason=f"It sends {token}.")).reason
    assert token not in claimed(fix=f"Take {token} out.").candidate.fix


def test_a_confirmed_claim_has_its_reason():
    assert judged(reply("confirmed")) == Refutation("confirmed", "Because.")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Answer(reason="refused", detail="cyber"), "refused: cyber"),
        (Answer(payload={"verdict": "refuted"}, reason="cut-off"), "cut-off"),
        (Answer(payload=None), "not-json"),
        (Answer(payload=[]), "not-json"),
        (Answer(payload={}), "not-json: `` is no verdict"),
        (reply(["refuted"]), "not-json: `` is no verdict"),
        (reply("REFUTED!"), "not-json: `REFUTED!` is no verdict"),
    ],
)
def test_a_reading_that_failed_leaves_the_claim_and_is_incomplete(answer: Answer, why: str):
    assert judged(answer) == Refutation("not-run", why)
    (problem,) = heard([claimed()], [answer]).problems
    assert (problem.stage, problem.what, problem.why) == (
        "model",
        "second reading of an-absent-value at app.py:6",
        why,
    )


@pytest.mark.parametrize(("number", "alarm"), [(2, False), (3, True)])
def test_a_refuter_that_kills_everything_raises_an_alarm(number: int, alarm: bool):
    claims = [claimed(title=f"Claim {n}") for n in range(number)]
    done = heard(claims, [reply("refuted", GOOD)] * number)
    assert len(done.rejections) == number
    assert [p.what for p in done.problems] == ["the second reading"] * alarm


def test_one_survivor_of_five_is_no_alarm():
    claims = [claimed(title=f"Claim {n}") for n in range(5)]
    done = heard(claims, [*[reply("refuted", GOOD)] * 4, reply("unsure")])
    assert (len(done.rejections), done.problems) == (4, ())


# --- what it means ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("checked", "answer", "placement", "decides"),
    [
        (claimed(), reply("confirmed"), "inline", True),
        (claimed(), Answer(reason="overloaded"), "inline", True),
        (claimed(), reply("unsure"), "table", False),
        (claimed()._replace(aside="confidence 40, a comment asks for 50"), reply("confirmed"), "table", True),
        (hint(), reply("confirmed"), "inline", True),
        (hint(), reply("unsure"), "table", False),
        (hint(), Answer(reason="overloaded"), "table", False),
    ],
)
def test_where_a_finding_stands_after_the_second_reading(
    checked: Checked, answer: Answer, placement: str, decides: bool
):
    hunk = TREE.change.files[0].hunks[0]._replace(new_start=4, new_count=4)
    change = TREE.change._replace(files=(TREE.change.files[0]._replace(hunks=(hunk,)),))
    (found,) = conclude(heard([checked], [answer]).checked, change, {}, TERMS.inline)
    assert (found.placement, found.decides) == (placement, decides)


def test_at_most_five_of_the_model_alone_stand_inline_the_surest():
    hunk = TREE.change.files[0].hunks[0]._replace(new_start=1, new_count=99)
    change = TREE.change._replace(files=(TREE.change.files[0]._replace(hunks=(hunk,)),))
    claims = [
        Checked(candidate(path="app.py", line=n, origin=Origin.MODEL, confidence=50 + n), ())
        for n in range(1, 8)
    ]
    found = conclude([Checked(candidate(path="app.py", line=20), ()), *claims], change, {}, TERMS.inline)
    inline = {f.candidate.site.start_line for f in found if f.placement == "inline"}
    assert inline == {3, 4, 5, 6, 7, 20}
    assert len(found) == 8
    few = conclude(claims, change, {}, model_inline=2)
    assert {f.candidate.site.start_line for f in few if f.placement == "inline"} == {6, 7}


# --- the law ----------------------------------------------------------------------------------

payloads = st.recursive(
    st.none() | st.integers() | st.sampled_from(["refuted", "confirmed", "unsure", GOOD, "box.py", "\ud800"]),
    lambda inner: st.dictionaries(
        st.sampled_from(["verdict", "counter", "reason", "path", "line", "quote"]), inner
    ),
    max_leaves=6,
)
replies = st.builds(Answer, payload=payloads, reason=st.sampled_from(["", "refused"])) | st.just(
    reply("refuted", GOOD)
)


@few
@given(st.lists(replies, max_size=6))
def test_each_claim_is_kept_or_rejected_whatever_is_answered(answers: list[Answer]):
    claims = [claimed(title=f"Claim {n}") for n in range(len(answers))]
    strong = Checked(candidate(), ())
    done = heard([strong, *claims], answers)
    assert done.checked[0] == strong
    assert len(done.checked) + len(done.rejections) == len(claims) + 1
    unread = sum(c.refutation.verdict == "not-run" for c in done.checked[1:])
    assert len(done.problems) >= unread
