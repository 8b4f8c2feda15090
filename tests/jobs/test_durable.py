"""One worker, and several: who does what is left, and what nobody does twice."""

from __future__ import annotations

import logging
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from dbos import DBOS, error
from sqlalchemy.exc import OperationalError

from reviewbot.core.errors import ConfigError, StoreDown
from reviewbot.jobs import database, sweep
from reviewbot.jobs.durable import Durable
from reviewbot.jobs.engine import Cancelled, Taken, Work
from reviewbot.jobs.sweep import Swept
from reviewbot.store import failures
from tests.jobs import works
from tests.jobs.works import note, until

A, B, C = (letter * 32 for letter in "abc")
WORKER = Path(__file__).with_name("worker.py")


@contextmanager
def running(work: Work, url: str, executor: str = "w1", **limits: Any) -> Iterator[Durable]:
    engine = Durable(work, url=url, executor=executor, **limits)
    try:
        yield engine
    finally:
        engine.close(5.0)


@contextmanager
def another(url: str, folder: Path, executor: str, *, version: str = "") -> Iterator[subprocess.Popen[str]]:
    """A worker in a process of its own."""
    command = [sys.executable, str(WORKER), url, str(folder), executor, version]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "up\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def given(process: subprocess.Popen[str], id: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{id}\n")
    process.stdin.flush()


def notes(folder: Path) -> list[str]:
    file = folder / "notes"
    return file.read_text().splitlines() if file.exists() else []


def told(folder: Path, words: str) -> Callable[[], bool]:
    return lambda: any(words in line for line in notes(folder))


def over(engine: Durable, id: str, state: str = "done") -> Callable[[], bool]:
    return lambda: engine.states([id]).get(id) == state


def kill(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def test_the_settings_that_dbos_leaves_to_us(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/state/jobs.sqlite"
    made = database.settings(url, "w1", 8)
    assert made["system_database_url"] == url
    assert made["application_version"] == database.VERSION
    assert made["executor_id"] == "w1"
    serializer = made["serializer"]
    assert serializer is not None
    assert serializer.name() == "portable_json"
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "state" / "jobs.sqlite").stat().st_mode) == 0o600
    for nobody in ("", "local"):
        with pytest.raises(ConfigError, match="names no worker"):
            database.settings(url, nobody, 8)
    with pytest.raises(ConfigError, match="names no file"):
        database.settings("sqlite:///jobs.sqlite", "w1", 8)


def test_a_job_of_a_known_id_is_not_done_again(url: str, tmp_path: Path) -> None:
    (tmp_path / "go").touch()
    with running(works.slow(tmp_path), url) as engine:
        for _ in range(3):
            engine.submit({}, id=A, partition="p")
        until(over(engine, A))
        engine.submit({"name": "again"}, id=A, partition="p")
        assert engine.states([A, B]) == {A: "done"}
        assert engine.forget(3600.0) == 0
        assert engine.forget(-60.0) == 1
        assert engine.states([A]) == {}
    assert len([line for line in notes(tmp_path) if "first" in line]) == 1
    with pytest.raises(RuntimeError, match="no job"):
        engine.step("alone", lambda: None)


def test_a_cancelled_job_ends_behind_its_step(url: str, tmp_path: Path) -> None:
    with running(works.slow(tmp_path), url, each=1) as engine:
        engine.submit({}, id=A, partition="p")
        engine.submit({}, id=B, partition="p")
        until(told(tmp_path, "aa second begun"))
        engine.cancel(A)
        engine.cancel(B)
        engine.cancel(C)  # nobody knows it
        (tmp_path / "go").touch()
        until(told(tmp_path, "aa Cancelled"))
        assert engine.states([A, B, C]) == {A: "cancelled", B: "cancelled"}
        assert engine.takeover(["w1", "w2"]) == 0
        assert engine.sweep({}) == Swept()
    assert not any("third" in line or line.startswith("bb") for line in notes(tmp_path))


def test_one_installation_does_not_keep_the_others_waiting(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.sqlite"
    with running(works.slow(tmp_path), url, here=3, each=2) as engine:
        for n in range(6):
            engine.submit({"name": "busy"}, id=f"{n}" * 32, partition="1")
        engine.submit({"name": "other"}, id=A, partition="2")
        until(told(tmp_path, "other second begun"))
        until(told(tmp_path, "busy second begun"))
        time.sleep(0.1)
        assert len([line for line in notes(tmp_path) if "busy second begun" in line]) <= 2
        (tmp_path / "go").touch()
        until(lambda: set(engine.states([A, *(f"{n}" * 32 for n in range(6))]).values()) == {"done"})


def test_a_job_that_fails_says_so_and_keeps_nobody_busy(url: str) -> None:
    def work(job: Any, engine: Any) -> Any:
        raise ValueError("\udce9\0 of the work")

    with running(work, url) as engine:
        engine.submit({}, id=A, partition="p")
        until(over(engine, A, "failed"))


def test_a_closed_worker_hands_its_job_over(url: str, tmp_path: Path) -> None:
    engine = Durable(works.slow(tmp_path), url=url, executor="w1")
    engine.submit({}, id=A, partition="p")
    until(told(tmp_path, "second begun"))
    engine._ending.set()
    (tmp_path / "go").touch()
    until(told(tmp_path, "HandedOver"))
    assert engine.close(5.0)
    with running(works.slow(tmp_path), url, "w2") as engine:
        assert engine.states([A]) == {A: "running"}
        assert engine.takeover(["w1"]) == 1
        until(over(engine, A))
    lines = notes(tmp_path)
    assert [line.split()[1] for line in lines] == ["first", "second", "second", "HandedOver", "third"]


def test_the_job_of_a_dead_worker_is_finished_by_another(url: str, tmp_path: Path) -> None:
    with another(url, tmp_path, "w1") as process:
        given(process, A)
        until(told(tmp_path, "second begun"))
        with running(works.slow(tmp_path), url, "w2") as engine:
            kill(process)
            assert engine.sweep({"w1": database.VERSION}) == Swept()  # not known to be dead
            assert engine.takeover(["w1"]) == 1
            assert engine.takeover(["w1"]) == 0
            (tmp_path / "go").touch()
            until(over(engine, A))
    lines = [line.split()[1:3] for line in notes(tmp_path)]
    begun, ended = ["second", "begun"], ["second", "ended"]
    assert lines == [["first"], begun, begun, ended, ["third", str(os.getpid())]]


def test_a_worker_that_was_only_asleep_does_no_further_step(url: str, tmp_path: Path) -> None:
    with another(url, tmp_path, "w1") as process:
        given(process, A)
        until(told(tmp_path, "second begun"))
        with running(works.slow(tmp_path), url, "w2") as engine:
            os.kill(process.pid, signal.SIGSTOP)
            assert engine.takeover(["w1"]) == 1
            until(lambda: len([line for line in notes(tmp_path) if "second begun" in line]) == 2)
            (tmp_path / "go").touch()
            until(over(engine, A))
            os.kill(process.pid, signal.SIGCONT)
            until(told(tmp_path, "Taken"))
    assert [line for line in notes(tmp_path) if "third" in line] == [f"aa third {os.getpid()}"]


def test_what_an_earlier_version_left_is_adopted(url: str, tmp_path: Path) -> None:
    with another(url, tmp_path, "old", version="0") as process:
        given(process, A)
        until(told(tmp_path, "second begun"))
        kill(process)
    (tmp_path / "go").touch()
    with running(works.slow(tmp_path), url, "new") as engine:
        time.sleep(0.1)
        assert engine.states([A]) == {A: "running"}  # of another version: nobody takes it unasked
        assert engine.sweep({"w3": "0"}) == Swept(resumed=1, left=1)  # one of that version lives
        assert engine.sweep({}) == Swept(adopted=1)
        until(over(engine, A))
        assert engine.sweep({}) == Swept()
        engine.cancel(A)
        assert engine.states([A]) == {A: "done"}
        assert engine.forget(-60.0) == 2
    assert [line.split()[:2] for line in notes(tmp_path)] == [
        *(["aa", "first"], ["aa", "second"]),  # the step that had ended is not run again
        *(["aa", "second"], ["aa", "second"], ["aa", "third"]),
    ]


def test_what_we_use_of_dbos_beneath_its_surface_is_there() -> None:
    """Its public resume takes a job from whoever has just resumed it."""
    from dbos._sys_db import SystemDatabase

    assert list(SystemDatabase.reenqueue_for_recovery.__annotations__)[:3] == [
        *("workflow_id", "executor_ids", "recovery_queue_name"),
    ]
    assert sweep.base(f"{A}{sweep.FORK}2") == A


@pytest.mark.parametrize("within", [True, False])
def test_a_job_whose_database_was_away_goes_on_behind_its_last_step(
    url: str, tmp_path: Path, within: bool
) -> None:
    """It ended with an error, or was down as running for ever."""

    def away() -> None:
        if not told(tmp_path, "away")():
            note(tmp_path, "away")
            raise StoreDown("the database: disk is full")

    def work(job: Any, engine: Any) -> Any:
        engine.step("first", lambda: note(tmp_path, "first"))
        engine.step("second", away) if within else away()
        return engine.step("third", lambda: note(tmp_path, "third"))

    with running(work, url) as engine:
        engine.submit({}, id=A, partition="p")
        until(told(tmp_path, "away"))
        until(lambda: not engine._busy)
        assert engine.states([A]) == {A: "running"}
        assert (engine.heal(), engine.heal()) == (0, 1)
        until(over(engine, A))
    assert notes(tmp_path) == ["first", "away", "third"]


def test_a_step_that_the_engine_could_not_keep_is_done_again(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(job: Any, engine: Any) -> Any:
        return engine.step("only", lambda: note(tmp_path, "only"))

    full = iter([True])
    run_step = DBOS.run_step

    def kept(*given: Any) -> Any:
        gave = run_step(*given) if not next(full, False) else None
        if gave is None:
            raise OperationalError("INSERT", {}, Exception("database or disk is full"))
        return gave

    monkeypatch.setattr(DBOS, "run_step", kept)
    with running(work, url, told=failures.told) as engine:
        engine.submit({}, id=A, partition="p")
        until(lambda: engine.heal() == 1)
        until(over(engine, A))
    assert notes(tmp_path) == ["only"]


def test_a_job_that_is_worked_on_is_not_healed(url: str, tmp_path: Path) -> None:
    with running(works.slow(tmp_path), url) as engine:
        engine.submit({}, id=A, partition="p")
        until(told(tmp_path, "second begun"))
        assert [engine.heal() for _ in range(3)] == [0, 0, 0]
        (tmp_path / "go").touch()
        until(over(engine, A))


def test_a_step_that_was_long_asleep_learns_that_its_job_was_taken(url: str, tmp_path: Path) -> None:
    """In whichever thread; and that of the one who goes on may."""
    calls: list[Callable[[], None]] = []

    def work(job: Any, engine: Any) -> Any:
        def long() -> None:
            calls.append(engine.ownership())
            until((tmp_path / "go").exists)

        return engine.step("long", long)

    with running(work, url) as engine:
        engine.submit({}, id=A, partition="p")
        until(lambda: len(calls) == 1)
        calls[0]()
        sweep.put_back(sweep.held(["w1"]), ["w1"])
        with pytest.raises(Taken):
            calls[0]()
        until(lambda: len(calls) == 2)
        engine.cancel(A)
        with pytest.raises(Cancelled):
            calls[1]()
        (tmp_path / "go").touch()


def test_a_cancellation_is_one_line_of_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    database.settings(f"sqlite:///{tmp_path}/jobs.sqlite", "w1", 8)
    logger = logging.getLogger("dbos")
    for failure in (error.DBOSAwaitedWorkflowCancelledError(A), ValueError("ours")):
        logger.error("Exception encountered", exc_info=failure)
    kept = [(record.levelname, record.getMessage(), bool(record.exc_info)) for record in caplog.records]
    assert kept[1] == ("ERROR", "Exception encountered", True)
    assert kept[0] == ("INFO", "a job was cancelled", False)
