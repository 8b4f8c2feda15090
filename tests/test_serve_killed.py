"""kill -9 at the front door: what was reviewed is posted once, and what was paid for is not paid again."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from threading import Event

import pytest

from reviewbot.store import Store
from tests.fakes.github.exchange import Fault
from tests.pulls import NUMBER
from tests.served import QUICK, REPO, asked_once, ended, model, of_pull, serving, shop, summaries
from tests.store import postgres
from tests.test_model_review import honest


def test_at_each_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marks = tmp_path / "marks"
    program = ("tests/serve_killed.py", str(marks))
    with (
        shop(tmp_path, monkeypatch) as it,
        model(honest, monkeypatch) as provider,
        serving(tmp_path / "state", program) as server,
    ):
        assert server.deliver("pull_request", of_pull(it), "d-1").status_code == 202
        server.until(lambda: server.settled("d-1"))
        assert server.end() == 0
        steps = marks.read_text().split()
        assert {"gates", "model", "read", "send"} <= set(steps)
        assert [len(it.pull.reviews), len(summaries(it)), len(it.pull.check_runs)] == [1, 1, 1]
        asked_once(provider)


def test_the_process_of_the_reviews_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The door goes on, and says what is missing until it is back."""
    posted = Event()
    with (
        shop(tmp_path, monkeypatch) as it,
        model(honest, monkeypatch) as provider,
        serving(tmp_path / "state") as server,
    ):
        path = f"/repos/{REPO}/pulls/{NUMBER}/reviews"
        it.github.faults.append(Fault("POST", path, status=0, delay=3.0, then=posted.set))
        assert server.deliver("pull_request", of_pull(it), "d-1").status_code == 202
        server.until(posted.is_set)
        [pid] = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
        os.kill(int(pid), signal.SIGKILL)
        assert server.deliver("pull_request", of_pull(it, "labeled"), "d-2").status_code == 202
        server.until(lambda: server.settled("d-1", "d-2"))
        assert [len(it.pull.reviews), len(summaries(it)), len(it.pull.check_runs)] == [1, 1, 1]
        asked_once(provider)
        assert server.healthy() == 200
        assert server.end() == 0


def test_another_process_finishes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed while GitHub has the review and its answer is under way."""
    posted = Event()
    with (
        postgres.server() as databases,
        shop(tmp_path, monkeypatch) as it,
        model(honest, monkeypatch) as provider,
    ):
        url = databases.database()
        monkeypatch.setenv("REVIEWBOT_DATABASE_URL", url)
        path = f"/repos/{REPO}/pulls/{NUMBER}/reviews"
        it.github.faults.append(Fault("POST", path, status=0, delay=3.0, then=posted.set))
        with (
            serving(tmp_path / "a", QUICK, REVIEWBOT_WORKER="a") as one,
            serving(tmp_path / "b", QUICK, REVIEWBOT_WORKER="b") as two,
            Store.open(url) as store,
        ):
            assert one.deliver("pull_request", of_pull(it), "d-1").status_code == 202
            one.until(posted.is_set)
            [run] = store.runs.open_of(REPO, NUMBER)
            victim, other = (one, two) if run.worker == "a" else (two, one)
            assert victim.end(signal.SIGKILL) == -signal.SIGKILL
            other.until(lambda: ended(it))
            other.until(lambda: not store.runs.open())
            done = store.runs.get(run.id)
            assert done is not None
            assert (done.state, done.verdict) == ("done", "findings")
            assert done.worker != run.worker
            assert other.end() == 0
        assert [len(it.pull.reviews), len(summaries(it)), len(it.pull.check_runs)] == [1, 1, 1]
        asked_once(provider)
