from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.jobs.engine import JSON, Cancelled, Engine
from reviewbot.jobs.inline import Inline


def test_a_job_is_done_at_once_and_its_steps_are_called_in_order() -> None:
    seen: list[Any] = []

    def work(job: Mapping[str, JSON], engine: Engine) -> JSON:
        for n in (1, 2):
            seen.append((engine.job_id(), job["pull"], engine.step("twice", lambda n=n: {"n": n})))
        return None

    engine = Inline(work)
    engine.submit({"pull": 7}, id="a", partition="p")
    assert seen == [("a", 7, {"n": 1}), ("a", 7, {"n": 2})]
    engine.submit({"pull": 8}, id="a", partition="p")
    assert len(seen) == 2


def test_a_cancelled_job_ends_before_its_next_step() -> None:
    seen: list[str] = []

    def work(_: Mapping[str, JSON], engine: Engine) -> JSON:
        engine.step("first", lambda: seen.append("first"))
        engine.cancel("a")
        try:
            engine.step("second", lambda: seen.append("second"))
        except Cancelled:
            seen.append("cancelled")
            raise
        return None

    Inline(work).submit({}, id="a", partition="p")
    assert seen == ["first", "cancelled"]


def test_an_error_of_a_step_is_that_of_the_job() -> None:
    def fails() -> JSON:
        raise UsageError("no such commit")

    engine = Inline(lambda _, engine: engine.step("read", fails))
    with pytest.raises(UsageError, match="no such commit"):
        engine.submit({}, id="a", partition="p")
    with pytest.raises(RuntimeError, match="no job"):
        engine.job_id()


def test_what_is_no_json_is_refused_here_too() -> None:
    engine = Inline(lambda _, engine: engine.step("read", lambda: (1, 2)))  # type: ignore[arg-type,return-value]
    with pytest.raises(TypeError, match="no JSON at step read: tuple"):
        engine.submit({}, id="a", partition="p")
    with pytest.raises(TypeError, match=r"no JSON at it\.pull"):
        engine.submit({"pull": (1,)}, id="b", partition="p")
