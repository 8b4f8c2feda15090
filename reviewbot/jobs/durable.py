"""Jobs that outlive their process, on dbos."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from functools import partial
from threading import Event, Lock

from dbos import DBOS, SetEnqueueOptions, SetWorkflowID, error

from reviewbot.core.errors import StoreDown
from reviewbot.jobs import record, sweep
from reviewbot.jobs.database import VERSION, settings
from reviewbot.jobs.engine import JSON, Cancelled, HandedOver, Interrupted, StepFailed, Taken, Work
from reviewbot.jobs.sweep import QUEUE, Swept

POLL = 0.2  # seconds between two looks into the queue
ATTEMPTS = 20  # times that a job is begun: one that ends its worker each time must end itself


class Durable:
    """Implements the Engine port. One in a process.

    A step that has ended is never run again, whatever becomes of the process; one in the middle of which it
    was killed is. work: what a job does; in another process too, so it is found by nothing but this class.
    url: `sqlite:////folder/file`, a file of the engine's own, or that of a PostgreSQL database. executor:
    the worker's name, its own and the same after a restart: what it left is taken up when it is back.
    here: jobs at once in this process. each: jobs of one partition at once, in all of them. told: makes
    StoreDown of what a database raises when it is away.

    Raises ConfigError for a wrong `url` or `executor`, and dbos's own errors where there is no database.
    """

    def __init__(
        self,
        work: Work,
        *,
        url: str,
        executor: str,
        here: int = 4,
        each: int = 2,
        told: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self._told = told
        self._work, self._executor = work, executor
        self._current: ContextVar[str] = ContextVar("job", default="")
        self._stepping: ContextVar[bool] = ContextVar("stepping", default=False)
        self._ending = Event()
        self._lock = Lock()
        self._busy: list[str] = []  # the ids in dbos of what our threads work on
        self._idle: set[str] = set()  # what we were down for and did not work on, at the last look
        DBOS(config=settings(url, executor, threads=2 * here + 8))

        @DBOS.workflow(name="job", max_recovery_attempts=ATTEMPTS)
        def job(id: str, given: str) -> str:
            return self._done(id, given)

        self._job = job
        DBOS.launch()
        DBOS.register_queue(
            QUEUE, worker_concurrency=here, partition_concurrency=each, polling_interval_sec=POLL
        )

    def submit(self, job: Mapping[str, JSON], *, id: str, partition: str) -> None:
        given = record.written(dict(job))
        with SetWorkflowID(id), SetEnqueueOptions(queue_partition_key=partition):
            DBOS.enqueue_workflow(QUEUE, self._job, id, given)

    def cancel(self, id: str) -> None:
        sweep.cancel(id)

    def step(self, name: str, call: Callable[[], JSON]) -> JSON:
        """Within a step another one is a part of it."""
        self.job_id()
        if self._stepping.get():
            return record.replayed(record.outcome(name, call))
        if self._ending.is_set():
            raise HandedOver(self.job_id())
        try:
            with self._told():
                kept: str = DBOS.run_step({"name": name}, self._stepped, name, call)
        except StoreDown as end:
            raise Interrupted(str(end)) from end
        except (error.DBOSWorkflowCancelledError, error.DBOSWorkflowConflictIDError) as end:
            self.ownership()()
            raise Taken(self.job_id()) from end
        return record.replayed(kept)

    def ownership(self) -> Callable[[], None]:
        return partial(self._go_on, self.job_id(), DBOS.workflow_id or "")

    def pause(self, seconds: float) -> None:
        if self._ending.wait(seconds):
            raise HandedOver(self.job_id())

    def job_id(self) -> str:
        if not (id := self._current.get()):
            raise RuntimeError("no job is done in this thread")
        return id

    def sweep(self, alive: Mapping[str, str]) -> Swept:
        """Take over what nobody works on any more. `alive`: the living workers, and the VERSION of each.

        For the start, and for every time that a worker is found dead.
        """
        living = {*alive, self._executor}
        resumed = sweep.resume(sweep.workers() - living)
        return Swept(resumed, *sweep.adopt({*alive.values(), VERSION}))

    def takeover(self, dead: Collection[str]) -> int:
        """Have what these workers worked on go on, here or elsewhere. How many jobs it was."""
        return sweep.resume(set(dead) - {self._executor})

    def heal(self) -> int:
        """Have what was Interrupted here go on, and what dbos lost. How many jobs it was.

        For every few seconds: what is not worked on at two looks running. One alone may meet a job between
        the queue and its thread.
        """
        idle = sweep.held({self._executor}) - set(self._busy)
        lost, self._idle = idle & self._idle, idle
        return sweep.put_back(lost, {self._executor}) if lost else 0

    def states(self, ids: Collection[str]) -> Mapping[str, str]:
        """waiting | running | done | failed | given up | cancelled, by id; no unknown one."""
        return sweep.states(ids)

    def erase(self, ids: Collection[str]) -> None:
        """Delete all that is kept of these jobs. One that is done at this moment ends at its next step, by
        whatever error that is."""
        sweep.erase(ids)

    def forget(self, older_than: float) -> int:
        """Delete what is kept of jobs that are over and were submitted so many seconds ago."""
        return sweep.forget(time.time() - older_than)

    def close(self, seconds: float = 0.0) -> bool:
        """Begin nothing more, and wait so long for the steps that run; whether all have ended.

        What is not done goes on with this worker's next start, or with whoever finds it dead.
        """
        self._ending.set()
        ends = time.monotonic() + seconds
        while self._busy and time.monotonic() < ends:
            time.sleep(0.05)
        idle = not self._busy
        DBOS.destroy(destroy_registry=True)
        return idle

    def _done(self, id: str, given: str) -> str:
        token, workflow = self._current.set(id), DBOS.workflow_id or id
        with self._lock:
            self._busy.append(workflow)
        try:
            job: Mapping[str, JSON] = record.read(given)  # type: ignore[assignment]
            return record.written(self._work(job, self))
        except StoreDown as end:
            raise Interrupted(str(end)) from end
        except Exception as failure:  # its message may hold what the database does not take
            raise StepFailed(record.in_ascii(failure)) from failure
        finally:
            with self._lock:
                self._busy.remove(workflow)
            self._current.reset(token)

    def _stepped(self, name: str, call: Callable[[], JSON]) -> str:
        """Behind the look for what is kept. A worker that was asleep for long is not to begin anew what
        another has taken over."""
        self.ownership()()
        token = self._stepping.set(True)
        try:
            return record.outcome(name, call)
        finally:
            self._stepping.reset(token)

    def _go_on(self, id: str, workflow: str) -> None:
        """Raises Cancelled, Taken or Interrupted, where the job is not to go on here."""
        try:
            with self._told():
                status, worker = sweep.standing(workflow)
        except StoreDown as end:  # no end of this step: it would be kept
            raise Interrupted(str(end)) from end
        if status == "cancelled":
            raise Cancelled(id)
        if (status, worker) != ("running", self._executor):
            raise Taken(id)
