"""What may pass is asked again, within bounds; what a provider says of waiting is heard, within bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.types import Answer, Question, Usage
from reviewbot.llm.anthropic import AnthropicModel
from reviewbot.llm.patience import LONGEST_WAIT, PATIENCE, Patient
from tests.fakes.anthropic_server import Reply, anthropic_server, fails, says
from tests.llm.questions import question

CLEAN = {"findings": [], "summary": "nothing"}


class Clock:
    """Time that passes by sleeping only."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def __call__(self) -> float:
        return self.now


def asked_of(replies: Iterator[Reply] | list[Reply]) -> tuple[Answer, list[float], int]:
    """The answer over real HTTP, the waits before it, and how often was asked."""
    clock = Clock()
    with anthropic_server(replies) as server:
        patient = Patient(AnthropicModel("anthropic", "sk-1", server.url), clock.sleep, clock)
        [answer] = patient.ask([question()])
    return answer, clock.slept, len(server.asked)


LIMITED = fails(429, "rate_limit_error")
OVERLOADED = fails(529, "overloaded_error")


def test_what_passes_is_waited_for_longer_each_time() -> None:
    answer, slept, count = asked_of([OVERLOADED, fails(503, "api_error"), LIMITED, Reply(0), says(CLEAN)])
    assert answer.payload == CLEAN
    assert (slept, count) == ([1.0, 2.0, 4.0, 8.0], 5)


def test_the_providers_own_wait_is_kept() -> None:
    answer, slept, _ = asked_of([fails(429, "rate_limit_error", retry_after="7"), OVERLOADED, says(CLEAN)])
    assert answer.payload == CLEAN
    assert slept == [7.0, 2.0]


def test_a_wait_that_is_next_to_none_does_not_hammer_the_provider() -> None:
    _, slept, count = asked_of(repeat(fails(529, "overloaded_error", retry_after_ms="0.001")))
    assert slept[:3] == [1.0, 2.0, 4.0]
    assert count < 10


def test_a_wait_of_49_days_is_not_begun() -> None:
    answer, slept, count = asked_of(repeat(fails(429, "rate_limit_error", retry_after="4233600")))
    assert (answer.payload, answer.reason) == (None, "limited")
    assert (slept, count) == ([], 1)
    assert "4,233,600 s" in answer.detail


def test_an_overload_for_ever_ends() -> None:
    answer, slept, count = asked_of(repeat(OVERLOADED))
    assert (answer.payload, answer.reason) == (None, "overloaded")
    assert sum(slept) <= PATIENCE
    assert f"attempts: {count}" in answer.detail
    assert answer.usage.calls == count == len(slept) + 1


@pytest.mark.parametrize(
    "reply",
    [
        fails(401, "authentication_error"),
        fails(413, "request_too_large"),
        fails(400, "invalid_request_error"),
        fails(500, "api_error", x_should_retry="false"),
        says("no json"),
        says(CLEAN, stop_reason="refusal"),
        says(CLEAN, stop_reason="max_tokens"),
        Reply(200, b"<html>", {"content-type": "text/html"}),
    ],
)
def test_what_does_not_pass_is_not_asked_again(reply: Reply) -> None:
    answer, slept, count = asked_of(repeat(reply))
    assert answer.payload is None
    assert (slept, count) == ([], 1)


class Scripted:
    def __init__(self, answer: Callable[[], Answer]) -> None:
        self._answer = answer

    def ask(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        return tuple(self._answer() for _ in questions)


passing = st.builds(
    Answer,
    reason=st.sampled_from(["overloaded", "limited", "unreachable"]),
    detail=st.just("later"),
    usage=st.builds(Usage, calls=st.just(1), usd=st.floats(0, 1)),
    retry_after=st.floats(0, 1e7),
)


@given(st.lists(passing, min_size=1), st.floats(0, 60))
def test_the_bounds_hold_for_all_that_a_provider_may_say(answers: list[Answer], takes: float) -> None:
    clock, given_out = Clock(), []

    def answer() -> Answer:
        clock.now += takes
        given_out.append(answers[len(given_out) % len(answers)])
        return given_out[-1]

    [last] = Patient(Scripted(answer), clock.sleep, clock).ask([question()])
    assert last.reason == given_out[-1].reason  # never clean
    assert all(wait <= LONGEST_WAIT for wait in clock.slept)
    assert clock.now <= PATIENCE + takes
    assert last.usage.calls == len(given_out)
    assert last.usage.usd == pytest.approx(sum(answer.usage.usd for answer in given_out))


def test_where_nobody_answers_the_review_does_not_wait_long() -> None:
    """Nothing listened at the address, and every question waited two minutes for it."""
    clock = Clock()
    with anthropic_server([]) as server:
        address = server.url
    [answer] = Patient(AnthropicModel("anthropic", "sk-1", address), clock.sleep, clock).ask([question()])
    assert (answer.reason, clock.slept) == ("unreachable", [1.0, 2.0, 4.0, 8.0])
    assert answer.detail.endswith("(attempts: 5, in 20 s)")
