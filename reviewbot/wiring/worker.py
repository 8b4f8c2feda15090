"""The App at work: deliveries out of the store, jobs into the engine, and the work of workers that died."""

from __future__ import annotations

import hashlib
import socket
import time
from collections.abc import Callable, Mapping
from threading import Event, Thread
from typing import Any

from reviewbot import __version__
from reviewbot.core.errand import Errand, Installed, Uninstalled, read, written
from reviewbot.core.types import Cancel, Obey, Rerun, ReviewPull, ShowRefuted
from reviewbot.core.types.run import Delivery, Run
from reviewbot.hosts.logs import log
from reviewbot.jobs.durable import Durable
from reviewbot.store import Occupied, Store, StoreDown

LOOK = 1.0  # seconds between two looks for deliveries, where nobody wakes us
BEAT = 5.0  # seconds between two heartbeats, each of which also looks for the dead
TAKEN = 20  # deliveries at once
DAY = 86_400.0


class Worker:
    """One in a process. `lost` is called where other workers have given this one up: it must end.

    Whatever happens to one delivery happens to that one alone.
    """

    def __init__(
        self, store: Store, engine: Durable, id: str, *, days: float, lost: Callable[[str], None]
    ) -> None:
        self._store, self._engine, self._id = store, engine, id
        self._days, self._lost = days, lost
        self._woken, self._ends = Event(), Event()
        self._threads = [
            Thread(target=self._take_up, name="deliveries", daemon=True),
            Thread(target=self._look_after, name="heartbeat", daemon=True),
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def wake(self) -> None:
        self._woken.set()

    def stop(self, seconds: float) -> bool:
        """Begin nothing more, and wait so long for the steps that run; whether all have ended. What is not
        done is handed over."""
        self._ends.set()
        self._woken.set()
        for thread in self._threads:
            thread.join(seconds)
        idle = self._engine.close(seconds)
        self._store.workers.gone(self._id)
        return idle

    def _take_up(self) -> None:
        while not self._ends.is_set():
            self._woken.wait(LOOK)
            self._woken.clear()
            try:
                while rows := self._store.deliveries.next(TAKEN):
                    for row in rows:
                        self._take(row)
            except StoreDown as error:
                log("deliveries wait", why=str(error))

    def _take(self, delivery: Delivery) -> None:
        try:
            state, why, run = self._decided(delivery, read(delivery.trigger or {}))
        except ValueError as error:  # another version wrote it
            state, why, run = "failed", str(error), ""
        self._store.deliveries.settle(delivery.id, state, why, run)
        log("delivery taken up", delivery=delivery.id, run=run, state=state, why=why)

    def _decided(self, delivery: Delivery, errand: Errand) -> tuple[str, str, str]:
        """The delivery's state, the reason, and the run that it leads to."""
        match errand:
            case Installed(installation, account, repos):
                self._store.installations.remember(installation, account, repos)
                return "done", "installed", ""
            case Uninstalled(installation, repos):
                return "done", f"deleted what was kept of {self._forget(installation, repos)}", ""
            case Cancel(repo, number, why):
                for run in self._store.runs.open_of(repo, number):
                    self._cancel(run, why)
                return "done", why, ""
            case ReviewPull() | Obey() | Rerun() | ShowRefuted():
                return self._run(delivery, errand)
        return "ignored", "it asks for nothing", ""

    def _run(
        self, delivery: Delivery, errand: ReviewPull | Obey | Rerun | ShowRefuted
    ) -> tuple[str, str, str]:
        if isinstance(errand, ReviewPull) and errand.comment is None:
            for run in self._store.runs.open_of(errand.repo, errand.number):
                if run.kind != "review":
                    continue
                if run.head == errand.head and not errand.full:
                    return "ignored", f"a review of {errand.head[:12]} is under way", run.id
                self._cancel(run, f"superseded: {errand.why}")
        run = _run_of(delivery, errand)
        self._store.runs.create(run)
        job: Mapping[str, Any] = {"run": run.id, "delivery": delivery.id, "errand": written(errand)}
        self._engine.submit(job, id=run.id, partition=str(delivery.installation or run.repo))
        return "queued", run.why, run.id

    def _cancel(self, run: Run, why: str) -> None:
        """One that runs ends before its next step, and says so itself."""
        if self._store.runs.ask_cancel(run.id, why):
            self._engine.cancel(run.id)
            if run.state == "waiting":
                self._store.runs.finish(run.id, "cancelled", error=why)

    def _forget(self, installation: int, repos: tuple[str, ...]) -> str:
        gone = self._store.installations
        for run in self._store.runs.open():
            if run.installation == installation and (not repos or run.repo in repos):
                self._engine.cancel(run.id)
        ids = gone.leave(installation, repos) if repos else gone.forget(installation)
        for id in ids:
            self._engine.cancel(id)
        return ", ".join(repos) or f"installation {installation}"

    def _look_after(self) -> None:
        kept = 0.0
        while not self._ends.wait(BEAT):
            try:
                self._store.workers.beat(self._id)
                for dead in self._store.workers.dead():
                    if dead != self._id and (taken := self._engine.takeover([dead])):
                        log("took over", worker=dead, jobs=taken)
                    self._store.workers.gone(dead)
                if time.monotonic() - kept > DAY or not kept:
                    kept = time.monotonic()
                    self._store.retain(self._days)
                    self._engine.forget(self._days * DAY)
            except Occupied as error:
                self._lost(str(error))
                return
            except StoreDown as error:
                log("no heartbeat", why=str(error))


def _run_of(delivery: Delivery, errand: ReviewPull | Obey | Rerun | ShowRefuted) -> Run:
    """A delivery that failed and came again is another run."""
    name = f"{delivery.id} {delivery.received!r}".encode()
    return Run(
        hashlib.sha256(name).hexdigest()[:32],
        errand.repo,
        errand.number or 0,
        delivery.installation,
        kind="review" if isinstance(errand, (ReviewPull, Rerun)) else "command",
        why=errand.why if isinstance(errand, ReviewPull) else _why(errand),
        head="" if isinstance(errand, Obey) else errand.head,
        created=delivery.received,
    )


def _why(errand: Obey | Rerun | ShowRefuted) -> str:
    if isinstance(errand, Obey):
        return f"`{errand.command.verb}`, asked for by {errand.asked.author.login}"
    return "its check was run again" if isinstance(errand, Rerun) else "its refuted claims were asked for"


def register(store: Store, id: str) -> None:
    """Raises Occupied (a ConfigError) where another process works under that name."""
    store.workers.register(id, socket.gethostname(), __version__)
