"""A fleet on the real queue: 10,000 repositories, bursts, a slow model, workers that die.

    python bench/fleet.py                          40 seconds of pushes, 4 workers
    python bench/fleet.py --burst 2000 --model 0   what the queue itself can do

PostgreSQL, the store, the job engine and the workers are those of the App; what GitHub and the model do is
a sleep in a job's steps. Time is scaled: at --scale 0.05 a model that takes 40 s takes 2 s, and a worker
counts as dead after 5 s instead of 30 s. What the engine itself costs is not scaled, so the waits are
an upper bound. Repositories get pushes as in life: few of them many, and a third of all in bursts.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

USD = 0.04  # of one review
HANG = 300.0  # seconds without any review that ends
SLICE = 0.25  # seconds between two looks at the clock of pushes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repositories", type=int, default=10_000)
    parser.add_argument("--installations", type=int, default=500)
    parser.add_argument("--pushes", type=int, default=600)
    parser.add_argument("--over", type=float, default=40.0, help="seconds (real) in which they come")
    parser.add_argument("--burst", type=int, default=0, help="so many at once instead")
    parser.add_argument("--model", type=float, default=40.0, help="seconds of a review's questions")
    parser.add_argument("--scale", type=float, default=0.05)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--here", type=int, default=8, help="reviews at once in a worker")
    parser.add_argument("--deaths", type=int, default=3)
    parser.add_argument("--work", nargs=2, metavar=("URL", "NAME"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # or what was started would be left behind
    if given.work:
        return work(*given.work, given)
    from tests.store import postgres

    with postgres.server() as server, tempfile.TemporaryDirectory(prefix="rb-fleet-") as folder:
        return simulated(server.database(), Path(folder), given)


def work(url: str, name: str, given: argparse.Namespace) -> int:
    """One worker, until it is killed."""
    from reviewbot.jobs.durable import Durable
    from reviewbot.store import Store, workers
    from reviewbot.wiring import worker

    hurry(given.scale)
    store = Store.open(url)
    store.workers.register(name, "bench", "1")
    dice = Random(name)

    def done(job: Any, engine: Any) -> Any:
        run, wanted = job["run"], given.model * given.scale
        if not store.runs.begin(run, name):
            return "gone"
        for step, seconds in (("read", 0.05), ("gates", 0.1), ("model", 1.0), ("publish", 0.05)):
            engine.step(step, lambda: time.sleep(seconds * wanted * dice.expovariate(1.0)))  # noqa: B023
        store.runs.finish(run, "done", "clean", usd=USD)
        store.deliveries.settle(job["delivery"], "done", "", run)
        return "done"

    engine = Durable(done, url=url, executor=name, here=given.here)
    running = worker.Worker(store, engine, name, days=90)
    running.start(lambda: os._exit(1))
    print(workers.ALIVE, flush=True)
    while True:
        time.sleep(60)


def hurry(scale: float) -> None:
    """Heartbeats and patience in scaled seconds."""
    from reviewbot.store import workers
    from reviewbot.wiring import worker

    workers.ALIVE = max(5.0, workers.ALIVE * scale)  # below that a busy machine is taken for dead
    worker.BEAT = max(0.25, worker.BEAT * scale)


class Fleet:
    """The workers, one of which is killed now and then and replaced by a new one."""

    def __init__(self, url: str, folder: Path, given: argparse.Namespace) -> None:
        self._url, self._folder, self._given = url, folder, given
        self._count = 0
        self.alive: list[subprocess.Popen[str]] = []

    def hire(self) -> None:
        self._count += 1
        given = self._given
        terms = ("--model", given.model, "--scale", given.scale, "--here", given.here)
        argv = [sys.executable, __file__, *map(str, terms), "--work", self._url, f"w{self._count}"]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        with open(self._folder / f"w{self._count}", "w") as log:
            made = subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, stderr=log, text=True)
        self.alive.append(made)

    def ready(self) -> None:
        for each in self.alive:
            if each.stdout is None or not each.stdout.readline():
                raise SystemExit("\n".join(path.read_text()[-2000:] for path in self._folder.iterdir()))

    def bury(self) -> None:
        gone = self.alive.pop(0)
        gone.kill()
        gone.wait()
        self.hire()

    def tend(self) -> None:
        """Who has ended is replaced, as by a supervisor."""
        for gone in [each for each in self.alive if each.poll() is not None]:
            self.alive.remove(gone)
            self.hire()

    def end(self) -> None:
        for each in self.alive:
            each.kill()
            each.wait()


def pushes(given: argparse.Namespace) -> list[tuple[float, int]]:
    """When, and to which repository: a few have most of it; a third comes in bursts of up to 30."""
    dice = Random(3)
    rows: list[tuple[float, int]] = []
    count = given.burst or given.pushes
    while len(rows) < count:
        at = 0.0 if given.burst else dice.random() * given.over
        repo = min(given.repositories - 1, int(dice.paretovariate(0.35)) - 1)
        many = dice.randint(5, 30) if dice.random() < 0.03 else 1
        rows += [(at, (repo + more) % given.repositories) for more in range(many)]
    return sorted(rows[:count])


def simulated(url: str, folder: Path, given: argparse.Namespace) -> int:
    from reviewbot.store import Store

    hurry(given.scale)
    fleet = Fleet(url, folder, given)
    rows = pushes(given)
    with Store.open(url) as store:
        for _ in range(given.workers):
            fleet.hire()
        try:
            fleet.ready()
            begun = time.monotonic()
            sent = fed(store, fleet, rows, given)
            waited(store, fleet, len(rows))
            seconds = time.monotonic() - begun
        finally:
            fleet.end()
        report(store, sent, seconds, given, url)
    return 0


def fed(store: Any, fleet: Fleet, rows: Sequence[tuple[float, int]], given: argparse.Namespace) -> int:
    """Deliver each when it is due, and let a worker die at times."""
    left, number, begun, dead = list(rows), 0, time.monotonic(), 0
    over = given.over if not given.burst else 1.0
    while left:
        now = time.monotonic() - begun
        due = [row for row in left if row[0] <= now]
        left = left[len(due) :]
        if due:
            store.deliveries.take([delivery(number + at, repo, given) for at, (_, repo) in enumerate(due)])
        number += len(due)
        if dead < given.deaths and now > (dead + 1) * over / (given.deaths + 1):
            fleet.bury()
            dead += 1
        time.sleep(SLICE)
    return number


def delivery(number: int, repo: int, given: argparse.Namespace) -> Any:
    from reviewbot.core.errand import written
    from reviewbot.core.types import ReviewPull
    from reviewbot.core.types.run import Delivery

    name = f"fleet/r{repo:05}"
    asked = ReviewPull(name, number + 1, "opened", head=f"{number:040x}")
    home = 1 + repo % given.installations
    return Delivery(
        f"f-{number:08}",
        "pull_request",
        "opened",
        home,
        name,
        number + 1,
        time.time(),
        trigger=written(asked),
    )


def waited(store: Any, fleet: Fleet, count: int) -> None:
    last, since = -1, time.monotonic()
    while (done := store.runs.counts().get("done", 0)) < count:
        if done != last:
            last, since = done, time.monotonic()
        if time.monotonic() - since > HANG:
            raise SystemExit(f"only {done} of {count} are done: {store.runs.counts()}")
        fleet.tend()
        time.sleep(0.5)


def report(store: Any, sent: int, seconds: float, given: argparse.Namespace, url: str) -> None:
    runs = all_runs(store)
    waits = sorted(run.begun - run.created for run in runs)
    whole = sorted(run.ended - run.created for run in runs)
    spent: dict[str, float] = {}
    slow: dict[str, list[float]] = {}
    for run in runs:
        spent[run.repo] = spent.get(run.repo, 0.0) + run.usd
        slow.setdefault(run.repo, []).append(run.begun - run.created)
    busiest = sorted(spent, key=lambda name: -spent[name])[:5]
    slots = given.workers * given.here
    print(f"{sent} reviews of {len(spent)} repositories in {seconds:.0f} s: {sent / seconds:.1f} a second")
    print(f"  {slots} places in {given.workers} workers, {given.deaths} died; model {given.model:g} s")
    print(f"  wait  {told(waits)}; from push to end {told(whole)}")
    if given.model:
        each = 1.2 * given.model * given.scale
        print(f"  {slots} places at {each:.2f} s each end at most {slots / each:.1f} a second")
    for name in busiest:
        middle = statistics.median(slow[name])
        print(f"  {name}: {len(slow[name])} reviews, median wait {middle:.2f} s, ${spent[name]:.2f}")
    print(f"  database: {json.dumps(cost(url, sent))}")
    print(f"  load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def all_runs(store: Any) -> list[Any]:
    return [run for row in store.runs.repos(1_000_000) for run in store.runs.of_repo(row.name, 1_000_000)]


def told(values: Sequence[float]) -> str:
    return f"p50 {values[len(values) // 2]:.2f} s, p99 {values[int(len(values) * 0.99)]:.2f} s"


def cost(url: str, count: int) -> dict[str, float]:
    """Of one review: transactions, and bytes that stay."""
    import psycopg

    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT xact_commit, pg_database_size(datname)"
            " FROM pg_stat_database WHERE datname = current_database()"
        ).fetchone()
    if row is None:
        raise SystemExit("the database has no statistics")
    return {"transactions": round(row[0] / count, 1), "kilobytes": round(row[1] / count / 1024, 1)}


if __name__ == "__main__":
    raise SystemExit(main())
