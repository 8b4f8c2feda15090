"""The App at work: deliveries out of the store, jobs into the engine, and the work of workers that died."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from threading import Event, Thread
from typing import Any

from reviewbot.core.errand import Errand, Installed, Suspended, Uninstalled, Vanished, read, written
from reviewbot.core.errors import Occupied, StoreDown
from reviewbot.core.types import Cancel, Obey, Rerun, ReviewPull, ShowRefuted
from reviewbot.core.types.run import Delivery, Run
from reviewbot.hosts.logs import log
from reviewbot.jobs.durable import ATTEMPTS, Durable
from reviewbot.store import SUSPENDED, Store
from reviewbot.store.failures import told
from reviewbot.wiring.leaving import ALL, Leaving

LOOK = 1.0  # seconds between two looks for deliveries, where nobody wakes us
BEAT = 5.0  # seconds between two heartbeats, each of which also looks for the dead
TAKEN = 20  # deliveries at once
_WORDLESS = {
    "failed": "its job ended with an error, which the log has",
    "given up": f"it was begun {ATTEMPTS} times, and none of them came to its end",
}


class Worker:
    """One in a process. Whatever happens to one delivery happens to that one alone.

    days: how long runs are kept.
    """

    def __init__(self, store: Store, engine: Durable, id: str, *, days: float) -> None:
        self._store, self._engine, self._id = store, engine, id
        self._leaving = Leaving(store, engine, days)
        self._lost: Callable[[], None] = self.wake
        self._woken, self._ends = Event(), Event()
        self._threads = [
            Thread(target=self._take_up, name="deliveries", daemon=True),
            Thread(target=self._look_after, name="heartbeat", daemon=True),
        ]

    def start(self, lost: Callable[[], None]) -> None:
        """`lost` is called where other workers have given this one up: it must end."""
        self._lost = lost
        swept = self._engine.sweep(self._store.workers.versions())
        log("at work", worker=self._id, resumed=swept.resumed, adopted=swept.adopted, left=swept.left)
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
            woken = self._woken.wait(LOOK)
            self._woken.clear()
            try:
                with told():  # the engine's database too
                    while rows := self._store.deliveries.next(TAKEN):
                        for row in rows:
                            self._take(row)
                    if woken:  # perhaps since a run has ended
                        self._release()
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
            case Installed(installation, account, repos, resumed):
                if self._store.installations.remember(installation, account, repos, resumed=resumed):
                    return "done", "installed", ""
            case Uninstalled() | Vanished():
                return "done", self._leaving.forget(errand), ""
            case Suspended(installation):
                return "done", self._suspend(installation), ""
            case Cancel(repo, number, why):
                for run in self._store.runs.open_of(repo, number):
                    self._cancel(run, why)
                return "done", why, ""
        if why := self._store.installations.away(delivery.installation):
            return "ignored", why, ""
        match errand:
            case ReviewPull() | Obey() | Rerun() | ShowRefuted():
                return self._run(delivery, errand)
        return "ignored", "it asks for nothing", ""

    def _run(
        self, delivery: Delivery, errand: ReviewPull | Obey | Rerun | ShowRefuted
    ) -> tuple[str, str, str]:
        run = _run_of(delivery, errand)
        if isinstance(errand, ReviewPull) and errand.comment is None:
            for other in self._store.runs.open_of(errand.repo, errand.number):
                if other.kind != "review" or other.id == run.id:
                    continue
                if other.head == errand.head and not errand.full:
                    return "ignored", f"a review of {errand.head[:12]} is under way", other.id
                self._cancel(other, f"superseded: {errand.why}")
        self._store.runs.create(run)
        if not self._stands_back(run):
            self._submit(run, delivery.id, written(errand))
        return "queued", run.why, run.id

    def _submit(self, run: Run, delivery: str, errand: Mapping[str, Any]) -> None:
        job: Mapping[str, Any] = {"run": run.id, "delivery": delivery, "errand": errand}
        self._engine.submit(job, id=run.id, partition=str(run.installation or run.repo))

    def _stands_back(self, run: Run) -> bool:
        """Behind an older run of the same pull request: two would not see each other's comments. In the queue
        it would wait in a place that others need."""
        others = self._store.runs.open_of(run.repo, run.number) if run.number else []
        return any((other.created, other.id) < (run.created, run.id) for other in others)

    def _release(self) -> None:
        """Submit those that stood back and need not any more. By several workers too: an id is one job."""
        waiting = [run for run in self._store.runs.open() if run.state == "waiting"]
        known = self._engine.states([run.id for run in waiting])
        for run in waiting:
            if run.id in known or self._stands_back(run):
                continue
            delivery = self._store.deliveries.of_run(run)
            if delivery is not None and delivery.trigger is not None:
                self._submit(run, delivery.id, delivery.trigger)

    def _cancel(self, run: Run, why: str) -> None:
        """One that runs ends before its next step, and says so itself."""
        if self._store.runs.ask_cancel(run.id, why):
            self._engine.cancel(run.id)
            if run.state == "waiting":
                self._over(run, "cancelled", why)

    def _over(self, run: Run, state: str, why: str) -> None:
        self._store.runs.finish(run.id, state, error=why)
        self._store.deliveries.settle_run(run, "failed" if state == "failed" else "done", why)

    def _suspend(self, installation: int) -> str:
        self._store.installations.suspend(installation)
        for run in self._store.runs.open(ALL):
            if run.installation == installation:
                self._cancel(run, SUSPENDED)
        return SUSPENDED

    def _look_after(self) -> None:
        while not self._ends.wait(BEAT):
            try:
                with told():
                    self._beat()
            except Occupied as error:
                log("given up", worker=self._id, why=str(error))
                self._lost()
                return
            except StoreDown as error:
                log("no heartbeat", worker=self._id, why=str(error))

    def _beat(self) -> None:
        self._store.workers.beat(self._id)
        if dead := [id for id in self._store.workers.dead() if id != self._id]:
            self._take_over(dead)
        if healed := self._engine.heal():
            log("took up again", jobs=healed)
        self._reconcile()
        self._release()
        self._leaving.tidy()

    def _take_over(self, dead: Sequence[str]) -> None:
        """What they worked on goes back into the queue first: who is gone is not looked for again."""
        swept = self._engine.sweep(self._store.workers.versions())
        log("took over", workers=", ".join(dead), jobs=swept.resumed, adopted=swept.adopted)
        for id in dead:
            self._store.workers.gone(id)

    def _reconcile(self) -> None:
        """Jobs that ended without a word of their own."""
        open = self._store.runs.open()
        states = self._engine.states([run.id for run in open])
        for run in open:
            if why := _WORDLESS.get(states.get(run.id, "")):
                self._over(run, "failed", why)
            elif states.get(run.id) == "cancelled":
                self._over(run, "cancelled", self._store.runs.cancel_asked(run.id))


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
