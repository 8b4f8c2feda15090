"""Each call of a port is one step: what it gave once it gives again, to the same question alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.errors import UsageError
from reviewbot.core.types import (
    Answer,
    GatePlan,
    GateResult,
    GateRun,
    GateSpec,
    GateStatus,
    Reply,
    Request,
    Said,
    Who,
)
from reviewbot.jobs import record
from reviewbot.jobs.engine import JSON
from reviewbot.jobs.memo import Diverged, MemoGates, MemoModel, MemoSink, beside, memo
from tests.fakes.scripted import ScriptedModel
from tests.jobs.test_shape import answers, gate_results
from tests.llm.questions import question
from tests.strategies import few


class Steps:
    """Remembers steps by their order, as texts."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, str]] = []
        self.at = 0

    def again(self) -> Steps:
        """The job as the next process sees it."""
        self.at = 0
        return self

    def __call__(self, name: str, call: Callable[[], JSON]) -> JSON:
        if self.at == len(self.kept):
            self.kept.append((name, record.outcome(name, call)))
        known, text = self.kept[self.at]
        assert known == name
        self.at += 1
        return record.replayed(text)


class FakeGates:
    def __init__(self, results: Sequence[GateResult]) -> None:
        self.results, self.plans = tuple(results), 0

    def run(self, plan: GatePlan) -> tuple[GateResult, ...]:
        self.plans += 1
        return self.results


class FakeSink:
    def __init__(self) -> None:
        self.sent: list[Request] = []

    def send(self, request: Request) -> Reply:
        self.sent.append(request)
        made = {"id": len(self.sent), "html_url": "https://h", "body": "text", "user": {"login": "x"}}
        return Reply(201, made)

    def find(self, request: Request) -> Reply:
        return Reply(201, {"id": 1}) if request in self.sent else Reply(404, {}, "it is not there")

    def head(self) -> str:
        self.sent.append(Request("GET", "/head", {}))
        return "a" * 40

    def comments(self, review: int) -> Sequence[tuple[str, int | None, str, str]] | None:
        return (
            None
            if review == 0
            else (("a\udce9.sh", None, "body", "https://h/1"), ("b", 3, "", "https://h/2"))
        )


@few
@given(st.lists(gate_results(), max_size=3))
def test_a_gate_gives_its_own_run_what_it_gave(results: list[GateResult]) -> None:
    steps, gates = Steps(), FakeGates(results)
    plan = GatePlan(tuple(result.run for result in results))
    assert MemoGates(gates, steps).run(plan) == tuple(results)
    back = MemoGates(gates, steps.again()).run(plan)
    assert repr(back) == repr(tuple(results))
    assert gates.plans == 1
    assert all(mine.run is own for mine, own in zip(back, plan.runs, strict=True))


@few
@given(gate_results(0))
def test_the_texts_that_a_gate_looked_at_are_not_kept(result: GateResult) -> None:
    steps = Steps()
    secret = "the whole of a file"
    files = tuple(text.__class__(text.path, secret) for text in (*result.run.files, *result.run.config))
    result = result._replace(run=result.run._replace(files=files, config=files))
    MemoGates(FakeGates([result]), steps).run(GatePlan((result.run,)))
    assert secret not in steps.kept[0][1]


def test_another_plan_gets_no_results_of_this_one() -> None:
    steps = Steps()
    result = _passed()
    MemoGates(FakeGates([result]), steps).run(GatePlan((result.run,)))
    other = GatePlan((result.run._replace(argv=("other",)),))
    with pytest.raises(Diverged, match="step gates is not the one that was done before; have it done anew"):
        MemoGates(FakeGates([result]), steps.again()).run(other)


@few
@given(st.lists(answers, min_size=1, max_size=2))
def test_a_model_is_asked_once(given: list[Answer]) -> None:
    asked = [question(about=str(n), max_tokens=n + 1) for n in range(len(given))]
    steps, model = Steps(), ScriptedModel(given)
    assert MemoModel(model, steps).ask(asked) == tuple(given)
    renamed = [q._replace(about="in other words") for q in asked]
    assert repr(MemoModel(model, steps.again()).ask(renamed)) == repr(tuple(given))
    assert len(model.rounds) == 1
    with pytest.raises(Diverged):
        MemoModel(model, steps.again()).ask([*asked[:-1], question(max_tokens=99)])
    assert MemoModel(model, steps).ask([]) == ()


def test_a_request_is_sent_once_and_of_the_reply_little_is_kept() -> None:
    steps, sink = Steps(), FakeSink()
    requests = [Request("POST", "/a", {"body": "x"}, "<1>"), Request("PATCH", "/a/1", {"body": "took 3 s"})]
    memoised = MemoSink(sink, steps)
    first = [memoised.send(request) for request in requests]
    assert first[0] == Reply(201, {"id": 1, "html_url": "https://h"})
    later = [requests[0], requests[1]._replace(body={"body": "took 5 s"})]
    steps.again()
    again = MemoSink(sink, steps)
    assert [again.send(request) for request in later] == first
    assert sink.sent == requests
    for other in (
        later[0]._replace(path="/b"),
        later[0]._replace(method="PATCH"),
        later[0]._replace(marker="<2>"),
    ):
        with pytest.raises(Diverged):
            MemoSink(sink, steps.again()).send(other)


@pytest.mark.parametrize("done", [True, False])
def test_what_a_killed_process_sent_is_looked_for_before_it_is_sent_again(done: bool) -> None:
    steps, sink = Steps(), FakeSink()
    request = Request("POST", "/a", {"body": "x"}, "<1>")
    MemoSink(sink, steps).send(request)
    steps.kept.pop()  # it was killed before that was written down
    sink.sent = sink.sent if done else []
    reply = MemoSink(sink, steps.again()).send(request)
    assert (reply.done, reply.data["id"]) == (True, 1)
    assert sink.sent == [request]


def test_what_may_be_there_is_not_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    steps, sink = Steps(), FakeSink()
    request = Request("POST", "/a", {"body": "x"}, "<1>")
    MemoSink(sink, steps).send(request)
    steps.kept.pop()
    unknown = Reply(0, {}, "whether it was done is not known")
    monkeypatch.setattr(sink, "find", lambda _: unknown)
    assert MemoSink(sink, steps.again()).send(request) == unknown
    assert sink.sent == [request]


def test_what_is_read_of_github_is_read_once() -> None:
    steps, sink = Steps(), FakeSink()
    for _ in range(2):
        memoised = MemoSink(sink, steps.again())
        assert memoised.head() == "a" * 40
        assert memoised.comments(1) == (
            ("a\udce9.sh", None, "body", "https://h/1"),
            ("b", 3, "", "https://h/2"),
        )
        assert memoised.comments(0) is None
    assert len(sink.sent) == 1


def test_what_a_clock_sends_is_no_step() -> None:
    steps, sink = Steps(), FakeSink()
    memoised = MemoSink(sink, steps)
    edit = Request("PATCH", "/a/1", {"body": "gates 3/7"})
    ticks: list[Any] = []

    def tick(stage: str, done: int = 0, total: int = 0) -> None:
        ticks.append((stage, done, total))
        memoised.send(edit)

    beside(tick)("gates", 3, 7)
    memoised.send(edit)
    assert ticks == [("gates", 3, 7)]
    assert [name for name, _ in steps.kept] == ["send"]
    assert sink.sent == [edit, edit]


def test_anything_that_is_read_can_be_a_step() -> None:
    steps, calls = Steps(), []

    def read() -> Said:
        calls.append(1)
        return Said(Who("reviewbot", True))

    for _ in range(2):
        assert memo(steps.again(), "said", Said, read) == Said(Who("reviewbot", True))
    assert calls == [1]
    with pytest.raises(Diverged):
        memo(steps.again(), "said", Said, read, of=["acme/launcher", 7])

    def refused() -> str:
        raise UsageError("no such pull request")

    for _ in range(2):
        with pytest.raises(UsageError, match="no such pull request"):
            memo(steps, "pull", str, refused)


def _passed() -> GateResult:
    run = GateRun("skill", GateSpec("bash -n x", ("bash",), "parse-only"), "bash-n", ("bash", "-n", "x"))
    return GateResult(run, GateStatus.PASSED, 0)
