"""The second reading: what it is shown, and what its answers make of the claims."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.ask.refute import MAX_CHARACTERS, Case, apply, due, questions
from reviewbot.core.ask.schema import REFUTE
from reviewbot.core.errors import UsageError
from reviewbot.core.types import Answer, Grade, ModelTerms, Origin, Part, Question, Refutation, Side
from reviewbot.core.verify import Checked, conclude
from tests.builders import candidate
from tests.core.ask.claims import Shelf, finding, said, sources, weighed
from tests.strategies import few

APP = """import os


def load_box(path):
    token = 'ghp_aaaaBBBB1111ccccDDDD'
    box = open_box(path)
    return box.size
"""
HEAD = {
    "app.py": APP,
    "box.py": "def open_box(path):\n    return None if path is None else Box(path)\n",
    "main.py": "from app import load_box\n\nload_box(None)\n",
}
TREE = sources(HEAD, added={"app.py": [6, 7]})
TERMS = ModelTerms()


def claimed(tree: Any = TREE, **changes: Any) -> Checked:
    own = {"path": "app.py", "line": 6, "quote": "box = open_box(path)\n    return box.size", "evidence": []}
    own |= {
        "title": "A size is read of what may be None",
        "failure": [said("open_box may return None.")],
        "class": "an-absent-value",
    }
    (checked,) = weighed(tree, finding(**{**own, **changes})).checked
    return checked


def hint(**changes: Any) -> Checked:
    return Checked(candidate(grade=Grade.HINT, path="app.py", line=6, quote="box", **changes), ())


def asked(*checked: Checked, tree: Any = TREE) -> tuple[list[Case], tuple[Question, ...]]:
    cases: list[Case] = []

    def render(case: Case) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        cases.append(case)
        return (Part("kill it", marked=True),), (Part(case.claim),)

    return cases, questions(checked, tree, TERMS, render)


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
    assert due([claimed(), strong, hint(), old]) == [claimed(), hint()]
    cases, made = asked(claimed(), strong, hint(), old)
    assert [q.about for q in made] == [
        "second reading of an-absent-value at app.py:6",
        "second reading of a-failed-step-does-not-stop-the-launch at app.py:6",
    ]
    first = made[0]
    assert (first.purpose, first.model, first.effort) == ("refute", TERMS.refute, TERMS.refute_effort)
    assert (first.system, first.schema) == ((Part("kill it", marked=True),), REFUTE)
    assert cases[0].claim == "A size is read of what may be None. open_box may return None."


def test_it_sees_the_code_and_who_defines_and_calls_what_stands_in_it():
    (case,), _ = asked(claimed())
    shown = {(excerpt.what, excerpt.path): excerpt.text for excerpt in case.excerpts}
    assert shown["the code", "app.py"].split("\n")[3:] == [
        "   4  def load_box(path):",
        "   5      token = '[redacted:github]'",
        "   6 +    box = open_box(path)",
        "   7 +    return box.size",
    ]
    assert shown["defines `open_box`", "box.py"].startswith("   1  def open_box(path):\n   2  ")
    assert shown["uses `load_box`", "main.py"] == "   3  load_box(None)"


def test_neither_the_confidence_nor_a_secret_is_in_it():
    (case,), (question,) = asked(claimed(confidence=87, cost="ghp_aaaaBBBB1111ccccDDDD"))
    assert "87" not in repr((case, question))
    assert "ghp_" not in repr((case, question))


def test_a_secret_in_the_quote_is_shown_as_the_finder_saw_it():
    quote = {"line": 5, "quote": "    token = '[redacted:github]'"}
    tree = sources(HEAD, added={"app.py": [5]})
    own = weighed(tree, finding(path="app.py", evidence=[], failure="A secret is kept.", **quote)).checked
    (case,), _ = asked(*own, tree=tree)
    assert case.place.quote == "    token = '[redacted:github]'"


def test_what_it_sees_is_bounded():
    names = "\n".join(f"use_{n} = load_box(use_{n})  {'x' * 300}" for n in range(400))
    tree = sources({"app.py": names + "\n"}, added={"app.py": [200]})
    place = {
        "path": "app.py",
        "line": 200,
        "quote": names.split("\n")[199],
        "evidence": [],
        "failure": "It fails.",
    }
    (case,), _ = asked(*weighed(tree, finding(**place)).checked, tree=tree)
    assert sum(len(excerpt.text) for excerpt in case.excerpts) <= MAX_CHARACTERS
    assert case.excerpts[0].what == "the code"
    assert " 200 +use_199 = " in case.excerpts[0].text


def test_a_name_that_could_not_be_looked_up_is_said():
    class Slow(Shelf):
        def search(self, side: Side, words: str, below: str = "") -> list[tuple[str, int, str]]:
            raise UsageError("the search takes longer than 10 s")

    (case,), _ = asked(claimed(), tree=TREE._replace(library=Slow(HEAD, {})))
    told = [(e.what, e.text) for e in case.excerpts if "not looked up" in e.what]
    assert told[0] == ("`load_box` was not looked up", "the search takes longer than 10 s")


# --- the answer -------------------------------------------------------------------------------


def judged(answer: Answer, checked: Checked | None = None) -> Refutation:
    done = apply([checked or claimed()], [answer], TREE)
    assert done.rejections == ()
    return done.checked[0].refutation


def test_a_claim_that_is_refuted_by_a_quote_that_stands_goes_to_the_ledger():
    done = apply([claimed()], [reply("refuted", GOOD, line=9)], TREE)
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
    assert apply([claimed()], [answer], TREE).problems == ()


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
    (problem,) = apply([claimed()], [answer], TREE).problems
    assert (problem.stage, problem.what, problem.why) == (
        "model",
        "second reading of an-absent-value at app.py:6",
        why,
    )


def test_an_answer_encoded_twice_is_read():
    assert judged(Answer(payload='{"verdict": "confirmed", "reason": "x"}')) == Refutation("confirmed", "x")


@pytest.mark.parametrize(("number", "alarm"), [(4, False), (5, True)])
def test_a_refuter_that_kills_everything_raises_an_alarm(number: int, alarm: bool):
    claims = [claimed(title=f"Claim {n}") for n in range(number)]
    done = apply(claims, [reply("refuted", GOOD)] * number, TREE)
    assert len(done.rejections) == number
    assert [p.what for p in done.problems] == ["the second reading"] * alarm


def test_one_survivor_of_five_is_no_alarm():
    claims = [claimed(title=f"Claim {n}") for n in range(5)]
    done = apply(claims, [*[reply("refuted", GOOD)] * 4, reply("unsure")], TREE)
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
    tree = TREE
    hunk = tree.change.files[0].hunks[0]._replace(new_start=4, new_count=4)
    change = tree.change._replace(files=(tree.change.files[0]._replace(hunks=(hunk,)),))
    (found,) = conclude(apply([checked], [answer], tree).checked, change, {})
    assert (found.placement, found.decides) == (placement, decides)


def test_at_most_five_of_the_model_alone_stand_inline_the_surest():
    hunk = TREE.change.files[0].hunks[0]._replace(new_start=1, new_count=99)
    change = TREE.change._replace(files=(TREE.change.files[0]._replace(hunks=(hunk,)),))
    claims = [
        Checked(candidate(path="app.py", line=n, origin=Origin.MODEL, confidence=50 + n), ())
        for n in range(1, 8)
    ]
    found = conclude([Checked(candidate(path="app.py", line=20), ()), *claims], change, {})
    inline = {f.candidate.site.start_line for f in found if f.placement == "inline"}
    assert inline == {3, 4, 5, 6, 7, 20}
    assert len(found) == 8
    few = conclude(claims, change, {}, claimed=2)
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
    done = apply([strong, *claims], answers, TREE)
    assert done.checked[0] == strong
    assert len(done.checked) + len(done.rejections) == len(claims) + 1
    unread = sum(c.refutation.verdict == "not-run" for c in done.checked[1:])
    assert len(done.problems) >= unread
