"""The front door of the App: `reviewbot serve` in a process of its own, with the fake GitHub around it."""

from __future__ import annotations

import signal
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from reviewbot.core.types.run import Run
from reviewbot.store import Store, sqlite_url
from tests.deliveries import MAINTAINER, Room
from tests.fakes.anthropic_server import Asked, Reply
from tests.fakes.github.exchange import Fault
from tests.pulls import NUMBER, Launched
from tests.served import (
    INSTALLATION,
    REPO,
    asked_once,
    ended,
    model,
    of_pull,
    serving,
    shop,
    summaries,
    told_nothing,
    uninstalled,
)
from tests.test_model_review import honest, second_reading


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Launched]:
    with shop(tmp_path, monkeypatch) as it:
        yield it


def test_a_delivery_is_reviewed_once(tmp_path: Path, room: Launched, monkeypatch: pytest.MonkeyPatch) -> None:
    with model(honest, monkeypatch) as provider, serving(tmp_path / "state") as server:
        assert server.deliver("pull_request", of_pull(room), "a-1").status_code == 202
        server.until(lambda: ended(room) and server.settled("a-1"))
        assert server.deliver("pull_request", of_pull(room), "a-1").json()["state"] == "known"
        assert server.deliver("pull_request", of_pull(room, "reopened"), "a-2").status_code == 202
        server.until(lambda: server.settled("a-2"))
        assert len(room.pull.reviews) == len(room.pull.comments) == 1
        assert f"{server.url}/runs/" in room.pull.comments[0]["body"]
        asked_once(provider)
        with Store.open(sqlite_url(str(tmp_path / "state"))) as store:
            runs = store.runs.of_repo(REPO, 10)
        for path in ("/", "/deliveries", "/metrics", "/healthz", f"/repos/{REPO}", *pages(runs)):
            told_nothing(server.page(path))
        [reviewed] = [run for run in runs if run.verdict]
        page = server.page(f"/runs/{reviewed.id}")
        for row in (*room.pull.reviews, *room.pull.comments, *room.pull.check_runs):
            assert page.count(f'href="{row["html_url"]}"') == 1
        assert server.end() == 0


def pages(runs: Sequence[Run]) -> list[str]:
    return [path for run in runs for path in (f"/runs/{run.id}", f"/runs/{run.id}/events")]


def test_only_the_last_of_five_pushes_is_reviewed(
    tmp_path: Path, room: Launched, monkeypatch: pytest.MonkeyPatch
) -> None:
    going, go = Event(), Event()

    def slow(asked: Asked) -> Reply:
        going.set()
        go.wait(30)
        return honest(asked)

    with model(slow, monkeypatch), serving(tmp_path / "state") as server:
        server.deliver("pull_request", of_pull(room), "p-0")
        server.until(going.is_set)
        for n in range(1, 5):
            room.work.write("shop.py", (room.work.path / "shop.py").read_text() + f"\n\nRATE_{n} = {n}\n")
            head = room.push(f"push {n}")
            server.deliver("pull_request", of_pull(room, "synchronize", head), f"p-{n}")
        with Store.open(sqlite_url(str(tmp_path / "state"))) as store:
            server.until(lambda: asked_to_end(store) == 4)
            go.set()
            server.until(lambda: not store.runs.open() and server.settled("p-4"))
            runs = sorted(store.runs.of_repo(REPO, 10), key=lambda run: run.created)
            assert [run.state for run in runs] == [*["cancelled"] * 4, "done"]
            assert {row.state for row in store.deliveries.recent(10)} == {"done"}
        assert runs[-1].head == room.pull.head_sha
        assert [run["conclusion"] for run in room.pull.check_runs] == ["cancelled", "neutral"]
        assert [review["commit_id"] for review in room.pull.reviews] == [room.pull.head_sha]
        assert len(summaries(room)) == 1
        assert server.end() == 0


def asked_to_end(store: Store) -> int:
    return sum(bool(store.runs.cancel_asked(run.id)) for run in store.runs.of_repo(REPO, 10))


def test_a_command_is_answered_once(
    tmp_path: Path, room: Launched, capsys: pytest.CaptureFixture[str]
) -> None:
    talk = Room(room, capsys, tmp_path)
    room.pull.repository.permissions[MAINTAINER] = "write"
    with serving(tmp_path / "state") as server:
        payload = talk.of_comment(talk.comment("@reviewbot help"))
        payload["installation"] = {"id": INSTALLATION}
        for id in ("c-1", "c-1"):
            server.deliver("issue_comment", payload, id)
        server.until(lambda: server.settled("c-1"))
        assert server.deliver("issue_comment", payload, "c-1").json()["state"] == "known"
        assert len(room.pull.comments) == 2
        assert server.end() == 0


def test_a_redelivery_heals_what_failed(tmp_path: Path, room: Launched) -> None:
    path = f"/repos/{REPO}/pulls/{NUMBER}"
    room.github.faults.append(Fault("GET", path, status=404, times=1))
    with serving(tmp_path / "state") as server:
        server.deliver("pull_request", of_pull(room), "f-1")
        server.until(lambda: server.settled("f-1"))
        assert not room.pull.reviews
        assert server.deliver("pull_request", of_pull(room), "f-1").json()["state"] == "received"
        server.until(lambda: ended(room) and server.settled("f-1"))
        assert len(summaries(room)) == 1
        assert server.end() == 0


def test_nothing_is_kept_of_an_installation_that_left(
    tmp_path: Path, room: Launched, monkeypatch: pytest.MonkeyPatch
) -> None:
    going, go = Event(), Event()

    def slow(asked: Asked) -> Reply:
        going.set()
        go.wait(30)
        return honest(asked)

    state = tmp_path / "state"
    with model(slow, monkeypatch) as provider, serving(state) as server:
        server.deliver("pull_request", of_pull(room), "u-1")
        server.until(going.is_set)
        room.github.minted.clear()
        room.github.faults.append(Fault("POST", r"/app/installations/\d+/access_tokens", 404, times=-1))
        before = len(room.github.log)
        server.deliver("installation", uninstalled(), "u-2")
        server.until(lambda: not rows(state, "reviewbot_runs"))
        go.set()
        server.until(lambda: not left(state) and not list(state.glob("clones/*/*")))
        time.sleep(0.1)
        assert len(room.github.log) - before < 12
        assert not any(second_reading(asked) for asked in provider.asked)
        assert server.healthy() == 200
        assert server.end() == 0
    assert not left(state)
    assert not (state / "results").exists()


TABLES = ("runs", "documents", "ticks", "deliveries", "votes", "answers", "installations", "repositories")


def left(state: Path) -> list[str]:
    """Where there is still something."""
    found = [name for name in TABLES if rows(state, f"reviewbot_{name}")]
    jobs = state / "jobs.sqlite"
    return [*found, *(["jobs"] if rows(state, "workflow_status", jobs) else [])]


def rows(state: Path, table: str, file: Path | None = None) -> int:
    path = file or Path(sqlite_url(str(state)).removeprefix("sqlite:///"))
    with closing(sqlite3.connect(path, timeout=10)) as database:
        count: int = database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        return count


def test_sigterm_hands_over(tmp_path: Path, room: Launched, monkeypatch: pytest.MonkeyPatch) -> None:
    going, go = Event(), Event()

    def slow(asked: Asked) -> Reply:
        going.set()
        go.wait(30)
        return honest(asked)

    with model(slow, monkeypatch) as provider:
        with serving(tmp_path / "state") as server:
            server.deliver("pull_request", of_pull(room), "t-1")
            server.until(going.is_set)
            server.process.send_signal(signal.SIGTERM)
            server.until(lambda: server.healthy() == 0)
            go.set()
            assert server.process.wait(60) in (0, 3)
            assert not room.pull.reviews
        with serving(tmp_path / "state") as server:
            server.until(lambda: ended(room) and server.settled("t-1"))
            assert server.end() == 0
        assert len(room.pull.reviews) == len(summaries(room)) == len(room.pull.check_runs) == 1
        asked_once(provider)
