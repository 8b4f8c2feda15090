"""Side by side; but who reads the cache waits for who writes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from threading import Barrier, Event, Lock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.types import Answer, Part, Question
from reviewbot.llm.anthropic import AnthropicModel
from reviewbot.llm.parallel import AT_ONCE, Parallel, beginnings
from tests.fakes.anthropic_server import Asked, Reply, anthropic_server, says
from tests.llm.questions import question


class Recording:
    """Answers each question with its last part, and knows what was going on at that time."""

    def __init__(self, at: Callable[[Question], None] = lambda _: None) -> None:
        self.at = at
        self.lock = Lock()
        self.log: list[tuple[str, str]] = []  # ("asked" | "answered", name)

    def ask(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        [asked] = questions
        name = asked.data[-1].text
        with self.lock:
            self.log.append(("asked", name))
        self.at(asked)
        with self.lock:
            self.log.append(("answered", name))
        return (Answer(payload=name),)


def about(name: str, chunk: str = "chunk", skill: str = "skill") -> Question:
    return question(system=(Part(skill, marked=True),), data=(Part(chunk, marked=True), Part(name)))


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy")), max_size=20))
def test_answers_stand_in_the_order_of_questions_and_no_reader_overtakes_its_writer(
    places: list[tuple[str, str]],
) -> None:
    asked = [about(str(number), *place) for number, place in enumerate(places)]
    model = Recording()
    answers = Parallel(model).ask(asked)
    assert [answer.payload for answer in answers] == [str(number) for number in range(len(asked))]
    begun: dict[object, str] = {}
    done: set[str] = set()
    for what, name in model.log:
        if what == "answered":
            done.add(name)
            continue
        for beginning in beginnings(asked[int(name)]):
            assert begun.setdefault(beginning, name) in {name} | done


def test_readers_of_one_prefix_are_asked_at_the_same_time() -> None:
    together = Barrier(AT_ONCE)  # never passed by fewer

    def at(asked: Question) -> None:
        if asked.data[-1].text != "first":
            together.wait(30)

    names = ["first", *(f"reader {number}" for number in range(AT_ONCE))]
    assert len(Parallel(Recording(at)).ask([about(name) for name in names])) == AT_ONCE + 1


def test_questions_with_nothing_in_common_wait_for_nothing() -> None:
    together = Barrier(2)
    model = Recording(lambda _: together.wait(30) and None)
    Parallel(model).ask([about("1", "x", "a"), about("2", "y", "b")])
    assert not together.broken


def test_what_an_earlier_round_wrote_is_not_waited_for_again() -> None:
    together = Barrier(2)
    rounds = [0]

    def at(_: Question) -> None:
        if rounds[0]:
            together.wait(30)

    model = Parallel(Recording(at))
    model.ask([about("1"), about("2")])
    rounds[0] = 1
    model.ask([about("1"), about("2")])
    assert not together.broken


def test_a_fault_of_ours_is_raised_and_nothing_hangs() -> None:
    class Fault(Exception):
        pass

    def at(_: Question) -> None:
        raise Fault

    with pytest.raises(Fault):
        Parallel(Recording(at)).ask([about(str(number)) for number in range(20)])


def test_an_interrupted_review_begins_no_further_question(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = Event(), Event()

    def at(_: Question) -> None:
        begun.set()
        go_on.wait(30)

    model = Recording(at)

    def interrupted(self: object) -> None:
        begun.wait(30)
        raise KeyboardInterrupt

    monkeypatch.setattr("reviewbot.llm.parallel.Condition.wait_for", lambda self, _: interrupted(self))
    with pytest.raises(KeyboardInterrupt):
        Parallel(model).ask([about(str(number)) for number in range(20)])
    go_on.set()
    assert [entry for entry in model.log if entry[0] == "asked"] == [("asked", "0")]


def test_no_questions_no_answers() -> None:
    assert Parallel(Recording()).ask([]) == ()


# --- over HTTP ----------------------------------------------------------------------------


def common_prefix(one: bytes, other: bytes) -> int:
    return next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def cached(asked: Asked) -> bytes:
    """All that the provider keys its cache by, in its order: tools, system, messages; to the last mark."""
    body = asked.body
    blocks = [*body.get("tools", []), *body["system"], *(b for m in body["messages"] for b in m["content"])]
    marked = [number for number, block in enumerate(blocks) if "cache_control" in block]
    return json.dumps(blocks[: marked[-1] + 1]).encode()


def test_questions_on_one_chunk_share_their_marked_bytes_as_a_prefix() -> None:
    def script(asked: Asked) -> Reply:
        return says({"findings": [], "summary": ""})

    skill, chunk = "skill \udcff " * 500, "+ line é\n" * 2000
    with anthropic_server(script) as server:
        model = Parallel(AnthropicModel("anthropic", "sk-1", server.url))
        tools = json.dumps([{"name": "read", "description": "d", "input_schema": {"type": "object"}}])
        model.ask([about(f"lens {number}", chunk, skill)._replace(tools=tools) for number in range(4)])
    first, *others = server.asked
    assert len(others) == 3
    for other in others:
        assert cached(other) == cached(first)
        # Nor does anything before the task differ on the wire, in whatever order the fields stand there.
        wire = common_prefix(first.raw, other.raw)
        assert first.raw[wire - 5 : wire] == b"lens "
        assert wire > len(chunk.encode())
