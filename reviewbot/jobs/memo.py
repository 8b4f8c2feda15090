"""The ports, each call of which is one step of a job: what it gave once it gives again.

The calls of a job come in one fixed order, from its own thread. Where they do not come as they came before,
the job ends with Diverged, and nobody is handed what another was told.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from hashlib import sha256
from typing import NamedTuple, TypeVar
from uuid import uuid4

from reviewbot.core.errors import ReviewbotError
from reviewbot.core.ports import Gates, Model, Progress, Sink
from reviewbot.core.types import Answer, GatePlan, GateResult, Question, Reply, Request
from reviewbot.jobs.engine import JSON, Step
from reviewbot.jobs.shape import dump, load

T = TypeVar("T")


class Comment(NamedTuple):
    path: str
    line: int | None
    body: str
    url: str


class Diverged(ReviewbotError):
    """A job that was begun again asks for other things than before."""

    def __init__(self, name: str) -> None:
        super().__init__(f"step {name} is not the one that was done before", "have it done anew")


def memo(step: Step, name: str, form: type[T], call: Callable[[], T], of: object = None) -> T:
    """`call`, which gives a `form`, as one step. `of`: JSON of what is asked, by which it is known again.

    Raises what `step` raises, Diverged, and ValueError where another version wrote what is kept.
    """
    return load(form, _kept(step, name, lambda: dump(call()), of))


class MemoGates:
    """Implements the Gates port around another."""

    def __init__(self, gates: Gates, step: Step) -> None:
        self._gates, self._step = gates, step

    def run(self, plan: GatePlan) -> tuple[GateResult, ...]:
        """What was run is in the plan and is not kept; what it gave is."""
        rows = _kept(self._step, "gates", lambda: [_bare(result) for result in self._gates.run(plan)], plan)
        return tuple(load(GateResult, row, run=run) for run, row in zip(plan.runs, _rows(rows), strict=True))


class MemoModel:
    """Implements the Model port around another. Its questions are asked side by side inside one step, so
    that one who keeps its answers by their questions belongs inside: what was answered before a crash in
    the middle is not paid for again."""

    def __init__(self, model: Model, step: Step) -> None:
        self._model, self._step = model, step

    def ask(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        if not questions:
            return ()
        of = [question._replace(about="") for question in questions]
        rows = _kept(self._step, "model", lambda: [dump(a) for a in self._model.ask(questions)], of)
        answers = tuple(load(Answer, row) for row in _rows(rows))
        if len(answers) != len(questions):
            raise Diverged("model")
        return answers


_beside: ContextVar[bool] = ContextVar("beside", default=False)


def beside(tick: Progress) -> Progress:
    """`tick`, nothing of what it does being a step: a clock decides when it does, and no replay would."""

    def ticked(stage: str, done: int = 0, total: int = 0) -> None:
        token = _beside.set(True)
        try:
            tick(stage, done, total)
        finally:
            _beside.reset(token)

    return ticked


def is_beside() -> bool:
    return _beside.get()


class MemoSink:
    """Implements the Sink port around another. One for each time that a job is begun."""

    def __init__(self, sink: Sink, step: Step) -> None:
        self._sink, self._step = sink, step
        self._life = uuid4().hex

    def send(self, request: Request) -> Reply:
        """The body is not looked at: it says how long things took."""
        of = [request.method, request.path, request.marker]
        # Who is killed between GitHub's doing it and our writing that down leaves this one step.
        first = _kept(self._step, "sending", lambda: self._life, of) if request.marker else self._life

        def sent() -> Reply:
            if first != self._life and (found := self._sink.find(request)).status != 404:
                return _small(found)  # where GitHub does not say, it may be there: it is not sent again
            return _small(self._sink.send(request))

        return memo(self._step, "send", Reply, sent, of)

    def find(self, request: Request) -> Reply:
        of = [request.method, request.path, request.marker]
        return memo(self._step, "find", Reply, lambda: _small(self._sink.find(request)), of)

    def head(self) -> str:
        return memo(self._step, "head", str, self._sink.head)

    def comments(self, review: int) -> Sequence[tuple[str, int | None, str, str]] | None:
        def read() -> JSON:
            rows = self._sink.comments(review)
            return None if rows is None else [dump(Comment(*row)) for row in rows]

        rows = _kept(self._step, "comments", read, review)
        return None if rows is None else tuple(load(Comment, row) for row in _rows(rows))


def _kept(step: Step, name: str, call: Callable[[], JSON], of: object) -> JSON:
    if is_beside():
        return call()
    asked = sha256(json.dumps(dump(of)).encode("ascii")).hexdigest()[:16]
    kept = step(name, lambda: {"of": asked, "gave": call()})
    if not isinstance(kept, dict) or kept.get("of") != asked:
        raise Diverged(name)
    gave: JSON = kept["gave"]
    return gave


def _bare(result: GateResult) -> JSON:
    form = dump(result)
    return {name: value for name, value in form.items() if name != "run"}  # type: ignore[union-attr]


def _small(reply: Reply) -> Reply:
    """GitHub gives back the whole of what was sent, and half of the repository."""
    plain = {n: v for n, v in reply.data.items() if n in _USED and isinstance(v, (int, str))}
    return reply._replace(data=plain)


_USED = ("id", "node_id", "number", "html_url", "url")  # of what was made


def _rows(value: JSON) -> list[JSON]:
    if not isinstance(value, list):
        raise ValueError(f"{type(value).__name__} in place of a list")
    return value
