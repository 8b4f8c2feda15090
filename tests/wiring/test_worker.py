"""What a worker decides about a delivery, with an engine that only notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from reviewbot.core.errand import Errand, Installed, Suspended, Uninstalled, Vanished, written
from reviewbot.core.errors import ConfigError
from reviewbot.core.types import Cancel, ReviewPull
from reviewbot.core.types.run import Delivery
from reviewbot.hosts.github.kept import kept
from reviewbot.jobs.durable import Durable
from reviewbot.store import SUSPENDED, Store, sqlite_url
from reviewbot.store.deliveries import UNINSTALLED
from reviewbot.wiring.leaving import Leaving
from reviewbot.wiring.worker import Worker
from reviewbot.wiring.working import employ

REPO = "Acme/Launcher"
REVIEW = ReviewPull(REPO, 7, "opened", head="a" * 40)


class Noting:
    """In the place of the engine."""

    def __init__(self) -> None:
        self.submitted: list[str] = []
        self.cancelled: list[str] = []

    def submit(self, job: Mapping[str, Any], *, id: str, partition: str) -> None:
        self.submitted.append(id)

    def cancel(self, id: str) -> None:
        self.cancelled.append(id)

    def erase(self, ids: list[str]) -> None:
        self.cancelled += ids

    def states(self, ids: list[str]) -> dict[str, str]:
        return {id: "running" for id in ids if id in self.submitted}

    def forget(self, before: float) -> None:
        """Nothing is kept here."""


class Bench:
    def __init__(self, store: Store) -> None:
        self.store, self.engine, self.count = store, Noting(), 0
        self.worker = Worker(store, cast(Durable, self.engine), "one", days=90)

    def deliver(self, errand: Errand, installation: int = 88) -> Delivery | None:
        """What is kept of it afterwards."""
        self.count += 1
        id = f"d-{self.count}"
        repo = getattr(errand, "repo", "")
        row = Delivery(id, "event", "", installation, repo, received=float(self.count))
        self.store.deliveries.take([row._replace(trigger=written(errand))])
        for claimed in self.store.deliveries.next(9):
            self.worker._take(claimed)
        return self.store.deliveries.get(id)

    def told(self, errand: Errand, installation: int = 88) -> tuple[str, str]:
        found = self.deliver(errand, installation)
        assert found is not None
        return found.state, found.why


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Store.open(sqlite_url(str(tmp_path / "state"))) as store:
        yield Bench(store)


def test_who_waits_for_an_older_run_of_its_pull_request_holds_no_place(bench: Bench) -> None:
    bench.deliver(REVIEW)
    [first] = bench.engine.submitted
    assert bench.store.runs.begin(first, "one")
    bench.deliver(REVIEW._replace(head="b" * 40, why="synchronize"))
    bench.deliver(REVIEW._replace(number=8))
    assert [run.number for run in map(bench.store.runs.get, bench.engine.submitted) if run] == [7, 8]
    bench.worker._release()
    assert len(bench.engine.submitted) == 2  # the older one is cancelled, and has not ended
    bench.store.runs.finish(first, "cancelled")
    for _ in range(2):
        bench.worker._release()
    [*_, last] = bench.engine.submitted
    assert len(bench.engine.submitted) == 3
    run = bench.store.runs.get(last)
    assert run is not None
    assert (run.number, run.head, run.state) == (7, "b" * 40, "waiting")


def test_one_that_stood_back_and_was_cancelled_never_begins(bench: Bench) -> None:
    bench.deliver(REVIEW)
    [first] = bench.engine.submitted
    assert bench.store.runs.begin(first, "one")
    bench.deliver(REVIEW._replace(head="b" * 40, why="synchronize"))
    bench.deliver(Cancel(REPO, 7, "closed"))
    bench.store.runs.finish(first, "cancelled")
    bench.worker._release()
    assert bench.engine.submitted == [first]
    assert bench.store.runs.open() == []


def test_what_comes_after_an_uninstallation_starts_nothing(bench: Bench) -> None:
    assert bench.told(REVIEW) == ("queued", "opened")
    assert bench.deliver(Uninstalled(88)) is None
    bench.engine.submitted.clear()
    for late in (REVIEW, Installed(88, "acme", (REPO,))):
        assert bench.told(late) == ("ignored", UNINSTALLED)
    assert bench.store.installations.known() == set()
    assert bench.engine.submitted == bench.store.runs.open() == []
    assert bench.told(REVIEW, 89) == ("queued", "opened")


def test_one_that_another_worker_has_in_hand_meanwhile(bench: Bench) -> None:
    row = Delivery("d", "pull_request", "opened", 88, REPO, 7, trigger=written(REVIEW))
    bench.store.installations.forget(88, list)
    assert bench.worker._decided(row, REVIEW) == ("ignored", UNINSTALLED, "")


def test_nothing_is_begun_between_suspend_and_unsuspend(bench: Bench) -> None:
    bench.deliver(REVIEW)
    [run] = bench.store.runs.open()
    assert bench.told(Suspended(88)) == ("done", SUSPENDED)
    assert bench.engine.cancelled == [run.id]
    after = bench.store.runs.get(run.id)
    assert after is not None
    assert (after.state, after.error) == ("cancelled", SUSPENDED)
    assert bench.told(REVIEW) == ("ignored", SUSPENDED)
    assert bench.told(REVIEW._replace(repo="octo/demo"), 89) == ("queued", "opened")
    assert bench.told(Installed(88, "acme", resumed=True)) == ("done", "installed")
    assert bench.told(REVIEW) == ("queued", "opened")


@pytest.mark.parametrize("errand", [Vanished(("acme/LAUNCHER",)), Uninstalled(88, ("acme/launcher",))])
def test_a_repository_that_goes_takes_its_runs_along(bench: Bench, errand: Errand) -> None:
    bench.deliver(REVIEW)
    [run] = bench.store.runs.open()
    bench.deliver(errand)
    assert bench.engine.cancelled == [run.id]
    assert bench.store.installations.known() == set()


def test_the_clone_of_a_repository_that_left_goes_and_others_stay(
    tmp_path: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVIEWBOT_STATE_DIR", str(tmp_path / "state"))
    leaving = Leaving(bench.store, cast(Durable, bench.engine), 90)
    clones = tmp_path / "state" / "clones"
    bench.store.installations.remember(88, "acme", [REPO, "acme/stays"])

    def names() -> list[str]:
        leaving.tidy()
        return sorted(path.name for path in clones.glob("*/*/*.git"))

    for repo in (REPO, "acme/stays", "octo/left-while-we-were-away"):
        with kept(str(clones), f"https://github.example/{repo}") as clone:
            Path(clone.place).mkdir()
    assert names() == ["launcher.git", "stays.git"]
    with kept(str(clones), f"https://github.example/{REPO}"):
        leaving.forget(Uninstalled(88, (REPO,)))
        assert names() == ["launcher.git", "stays.git"]
    assert names() == ["stays.git"]


@pytest.mark.parametrize("name", ["local", " ", "../../x", "é", "x" * 65, "x" * 500 + "\n", "x\n"])
def test_a_name_of_no_worker_is_refused_before_it_is_registered(
    tmp_path: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("reviewbot.wiring.working.own_app", lambda: None)
    monkeypatch.setenv("REVIEWBOT_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("REVIEWBOT_WORKER", name)
    with pytest.raises(ConfigError, match="is no name of a worker; choose 1 to 64 of"):
        employ(1, 90, lambda state, report: None)
    assert bench.store.workers.alive() == []
