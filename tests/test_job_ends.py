"""The end of a job is written down, also where the store is away for a while."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reviewbot.core.errors import StoreDown
from reviewbot.core.options import DiffOptions
from reviewbot.core.types.run import Run
from reviewbot.hosts.github.client import Access
from reviewbot.jobs.engine import Cancelled, HandedOver, Taken
from reviewbot.jobs.inline import Inline
from reviewbot.jobs.memo import beside
from reviewbot.store import Store
from reviewbot.wiring import job as jobs
from reviewbot.wiring import worker
from reviewbot.wiring.jobports import Remembering

RUN = Run("a" * 32, "acme/launcher", 7, 88, why="opened", created=1.0)


class Ending(Inline):
    """Its process is asked to end during the third pause."""

    def __init__(self) -> None:
        super().__init__(lambda job, engine: None)
        self.pauses: list[float] = []

    def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        if len(self.pauses) == 3:
            raise HandedOver("a")


def away(times: int) -> Callable[[], str]:
    left = [StoreDown("the database: disk is full")] * times

    def call() -> str:
        if left:
            raise left.pop()
        return "kept"

    return call


def test_an_end_is_written_once_the_store_is_back() -> None:
    engine = Ending()
    assert jobs.patiently(engine, away(2)) == "kept"
    assert engine.pauses == [1.0, 2.0]
    with pytest.raises(HandedOver):
        jobs.patiently(engine, away(9))
    assert 500 < sum(jobs.PATIENCE) < 700


def test_a_store_that_is_away_is_no_end_of_a_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was written down as failed, and said so on GitHub."""
    said: list[str] = []

    def down(*given: object) -> None:
        raise StoreDown("the database: disk is full")

    monkeypatch.setattr(jobs, "_done", down)
    with Store.open(f"sqlite:///{tmp_path}/s.sqlite") as store:
        store.runs.create(RUN)
        office = jobs.Office(
            store,
            None,
            "w1",
            "",
            b"",
            DiffOptions(cwd=str(tmp_path)),
            lambda *_: said.append("ended"),  # type: ignore[arg-type]
        )
        with pytest.raises(StoreDown):
            jobs.work({"run": RUN.id, "delivery": "d", "errand": {}}, Ending(), office)
        run = store.runs.get(RUN.id)
    assert run is not None
    assert (run.state, run.error, said) == ("running", "", [])
    jobs._said(StoreDown("away"), lambda: said.append("on GitHub"))
    assert said == []


@pytest.mark.parametrize(("end", "passes"), [(Cancelled, True), (Taken, False)])
def test_what_says_that_a_job_was_cancelled_is_let_through(end: type[BaseException], passes: bool) -> None:
    def ended() -> None:
        raise end("a")

    access = Access("http://127.0.0.1:9", "http://127.0.0.1:9", "t")
    client = Remembering(access, None, lambda name, call: call(), ended)  # type: ignore[arg-type]
    with pytest.raises(end):
        client._admits()
    seen: list[bool] = []

    def tick(stage: str, done: int = 0, total: int = 0) -> None:
        try:
            client._admits()
            seen.append(True)
        except end:
            seen.append(False)

    beside(tick)("cancelled")
    assert seen == [passes]


def test_an_error_is_not_called_a_death() -> None:
    assert not any("died" in why for why in worker._WORDLESS.values())
    assert set(worker._WORDLESS) == {"failed", "given up"}
