"""What was answered once is not asked, nor paid, again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.types import Answer, Lookup, Part, Question, Turn, Usage
from reviewbot.llm.cassette import Cassette, Folder, key
from tests.llm.questions import question

PAID = Usage(1, 1000, 0, 200, 0.25, 3.0)


class Answering:
    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.calls = 0

    def ask(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        self.calls += len(questions)
        return tuple(self.answer for _ in questions)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
payloads = st.dictionaries(st.text(), json_values).map(lambda said: Answer(payload=said, usage=PAID))
lookups = st.builds(Lookup, st.text(), st.text(), st.text())
wanting = st.tuples(st.lists(lookups, min_size=1, max_size=3), st.text()).map(
    lambda wanted: Answer(lookups=tuple(wanted[0]), said=wanted[1], usage=PAID)
)


@given(payloads | wanting)
def test_a_replayed_answer_is_the_recorded_one_and_costs_nothing(
    tmp_path_factory: pytest.TempPathFactory, answer: Answer
) -> None:
    folder = Folder(str(tmp_path_factory.mktemp("cassette")))
    model = Answering(answer)
    assert Cassette(model, folder).ask([question()]) == (answer,)
    for again in (Cassette(model, folder), Cassette(None, folder)):
        assert again.ask([question()]) == (answer._replace(usage=Usage()),)
    assert model.calls == 1


def test_replaying_twice_gives_the_same_bytes_with_no_call(tmp_path: Path) -> None:
    payload = {"z": 1, "a": [1.5, "é\ud800"], "findings": []}
    Cassette(Answering(Answer(payload=payload, usage=PAID)), Folder(str(tmp_path))).ask([question()])
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    once, twice = (Cassette(None, Folder(str(tmp_path))).ask([question()]) for _ in range(2))
    assert json.dumps(once) == json.dumps(twice)
    assert json.dumps(once[0].payload) == json.dumps(payload)  # in the order in which it was said
    assert kept == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


@pytest.mark.parametrize(
    "other",
    [
        question(purpose="refute"),
        question(model="claude-opus-5-5"),
        question(effort="low"),
        question(system=(Part("You review."), Part("The skill."))),
        question(data=(Part("The change.", marked=True), Part("Find", marked=False), Part("."))),
        question(schema="{}"),
        question(tools="[]"),
        question(turns=(Turn("[]", (), ()),)),
        question(max_tokens=1001),
    ],
)
def test_another_question_is_another_recording(other: Question) -> None:
    assert key(other) != key(question())


def test_what_a_question_is_about_in_words_does_not_make_it_another() -> None:
    assert key(question(about="something else")) == key(question())


def test_a_lone_surrogate_in_a_question_does_no_harm(tmp_path: Path) -> None:
    asked = question(data=(Part("\udcff"),))
    Cassette(Answering(Answer(payload={})), Folder(str(tmp_path))).ask([asked])
    assert Cassette(None, Folder(str(tmp_path))).ask([asked]) == (Answer(payload={}),)


def test_what_was_not_recorded_is_not_clean(tmp_path: Path) -> None:
    [answer] = Cassette(None, Folder(str(tmp_path / "none"))).ask([question()])
    assert (answer.payload, answer.reason) == (None, "unreachable")
    assert key(question())[:12] in answer.detail


@pytest.mark.parametrize("reason", ["refused", "cut-off", "overloaded", "not-json", "cap", "odd"])
def test_a_failure_is_not_recorded(tmp_path: Path, reason: str) -> None:
    model = Answering(Answer(reason=reason, usage=PAID))
    for _ in range(2):
        assert Cassette(model, Folder(str(tmp_path))).ask([question()])[0].reason == reason
    assert model.calls == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b"null",
        b"[" * 100_000,
        b'{"form": 0, "payload": {}, "lookups": [], "said": ""}',
        b'{"form": 1, "payload": null, "lookups": [], "said": ""}',
        b'{"form": 1, "payload": {}, "lookups": [["a", "b", "c"]], "said": ""}',
        b'{"form": 1, "payload": null, "lookups": [["a", "b"]], "said": ""}',
        b'{"form": 1, "payload": null, "lookups": [["a", "b", 3]], "said": ""}',
        b'{"form": 1, "payload": {}, "lookups": [], "said": 7}',
        b'{"form": 1, "payload": {}, "lookups": 5, "said": ""}',
    ],
    ids=lambda damage: damage[:60].decode("latin-1") or "empty",
)
def test_a_damaged_recording_is_none_and_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / f"{key(question())}.json"
    path.write_bytes(damage)
    assert Cassette(None, Folder(str(tmp_path))).ask([question()])[0].reason == "unreachable"
    answer = Answer(payload={"findings": []}, usage=PAID)
    assert Cassette(Answering(answer), Folder(str(tmp_path))).ask([question()]) == (answer,)
    assert Cassette(None, Folder(str(tmp_path))).ask([question()])[0].payload == {"findings": []}
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_where_nothing_can_be_kept_the_answer_is_used_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    answer = Answer(payload={}, usage=PAID)
    assert Cassette(Answering(answer), Folder(str(tmp_path / "file" / "x"))).ask([question()]) == (answer,)
