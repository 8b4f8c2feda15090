"""Rounds of look-ups: bounded, asked side by side, paid for as a whole."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.ask.talk import AT_ONCE, NO_ROOM, NOW, TOO_MANY, converse
from reviewbot.core.options import silent
from reviewbot.core.types import Answer, Lookup, ModelTerms, Part, Question, Usage
from tests.fakes.scripted import ScriptedModel

ONCE = Usage(1, 100, 50, 10, 0.5, 2.0)


def question(about: str = "q") -> Question:
    return Question("find", about, "m", "low", (Part("s", True),), (Part(about),), "{}", tools="[]")


def wants(*names: str) -> Answer:
    lookups = tuple(Lookup(f"id-{name}", name, "{}") for name in names)
    return Answer(lookups=lookups, said=json.dumps(names), usage=ONCE)


def final(payload: object = "done") -> Answer:
    return Answer(payload=payload, usage=ONCE)


def serve(lookup: Lookup) -> str:
    return f"<{lookup.name}>"


def test_an_answer_without_look_ups_is_the_answer():
    model = ScriptedModel([final("a"), final("b")])
    answers = converse([question("x"), question("y")], model, serve, ModelTerms(), silent)
    assert [a.payload for a in answers] == ["a", "b"]
    assert [len(asked) for asked in model.rounds] == [2]


def test_nothing_is_asked_where_there_is_no_question():
    model = ScriptedModel([])
    assert converse([], model, serve, ModelTerms(), silent) == ()
    assert model.rounds == []


def test_all_that_want_look_ups_go_on_together():
    model = ScriptedModel([wants("a", "b"), final("y"), wants("c"), final("x1"), final("z")])
    seen: list[tuple[str, int, int]] = []
    questions = [question("x"), question("y"), question("z")]
    answers = converse(questions, model, serve, ModelTerms(), lambda *at: seen.append(at))
    assert [a.payload for a in answers] == ["x1", "y", "z"]
    assert [[q.about for q in asked] for asked in model.rounds] == [["x", "y", "z"], ["x", "z"]]
    first = model.rounds[1][0]
    assert first._replace(turns=()) == questions[0]
    assert [(t.said, t.shown) for t in first.turns] == [('["a", "b"]', ("<a>", "<b>"))]
    assert seen == [("model", 0, 3), ("model", 1, 3), ("model", 3, 3)]


def test_the_usage_is_that_of_all_turns():
    model = ScriptedModel([wants("a"), wants("b"), final()])
    [answer] = converse([question()], model, serve, ModelTerms(), silent)
    assert answer.usage == Usage(3, 300, 150, 30, 1.5, 6.0)


def test_behind_the_last_round_an_answer_is_due_and_the_tools_stay():
    """Without them what is sent would no longer begin as before, and all of it were to be paid again."""
    model = ScriptedModel([wants("a"), wants("b"), final()])
    [answer] = converse([question()], model, serve, ModelTerms(rounds=2), silent)
    assert answer.payload == "done"
    assert [t.shown for t in model.questions[2].turns] == [("<a>",), (f"<b>\n\n{NOW}",)]
    assert {q.tools for q in model.questions} == {"[]"}


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_a_model_that_only_looks_things_up_is_cut_off(rounds: int):
    model = ScriptedModel(lambda q: wants("a"))
    [answer] = converse([question()], model, serve, ModelTerms(rounds=rounds), silent)
    assert (answer.payload, answer.lookups, answer.reason) == (None, (), "cut-off")
    assert answer.detail == f"after {rounds} rounds of look-ups it wants more, and does not answer"
    assert (len(model.rounds), answer.usage.calls) == (rounds + 1, rounds + 1)


def test_what_is_shown_is_bounded_in_bytes():
    model = ScriptedModel([wants("a", "b", "c"), final()])
    terms = ModelTerms(lookup_bytes=25)
    [answer] = converse([question()], model, lambda _: "ä" * 10, terms, silent)
    [turn] = model.questions[1].turns
    assert turn.shown == ("ä" * 10, NO_ROOM, f"{NO_ROOM}\n\n{NOW}")
    assert answer.payload == "done"


def test_too_many_look_ups_at_once_each_have_an_answer():
    """A provider refuses a turn in which one has none."""
    model = ScriptedModel([wants(*(str(n) for n in range(500))), final()])
    served: list[str] = []
    converse([question()], model, lambda lookup: served.append(lookup.name) or "x", ModelTerms(), silent)  # type: ignore[func-returns-value]
    [turn] = model.questions[1].turns
    assert len(turn.shown) == len(turn.lookups) == 500
    assert len(served) == AT_ONCE
    assert turn.shown[AT_ONCE] == TOO_MANY


@pytest.mark.parametrize("reason", ["refused", "overloaded", "cap", "not-json"])
def test_a_failure_in_a_later_turn_is_the_answer_with_what_it_cost(reason: str):
    model = ScriptedModel([wants("a"), Answer(reason=reason, detail="why", usage=ONCE)])
    [answer] = converse([question()], model, serve, ModelTerms(), silent)
    assert (answer.reason, answer.detail, answer.usage.calls) == (reason, "why", 2)


ANSWERS = st.sampled_from(
    [
        wants("a"),
        wants("a", "b"),
        final(),
        final({}),
        Answer(reason="refused", usage=ONCE),
        Answer(usage=ONCE),
    ]
)


@given(st.lists(ANSWERS, max_size=40), st.integers(1, 4), st.integers(0, 5), st.integers(0, 12))
def test_it_ends_and_every_question_has_one_answer(script: list[Answer], count: int, rounds: int, room: int):
    left = iter(script)
    model = ScriptedModel(lambda q: next(left, wants("more")))
    terms = ModelTerms(rounds=rounds, lookup_bytes=room)
    answers = converse([question(str(n)) for n in range(count)], model, serve, terms, silent)
    assert len(answers) == count
    assert not any(answer.lookups for answer in answers)
    assert sum(answer.usage.calls for answer in answers) == len(model.questions)
    assert len(model.rounds) <= rounds + 1
    for asked in model.questions:
        shown = [s for turn in asked.turns for s in turn.shown if s.startswith("<")]
        assert sum(len(s.removesuffix(f"\n\n{NOW}")) for s in shown) <= room
