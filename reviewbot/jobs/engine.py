"""The port of the job engine, and how a job is stopped between two of its steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"
Step: TypeAlias = Callable[[str, Callable[[], JSON]], JSON]


class Engine(Protocol):
    def submit(self, job: Mapping[str, JSON], *, id: str, partition: str) -> None:
        """Have a job done. One of an id that is known is not done again, whatever became of it.

        partition: whose jobs wait for each other; those of the others do not.
        """

    def cancel(self, id: str) -> None:
        """A job that waits is not begun; one that runs ends before its next step."""

    def step(self, name: str, call: Callable[[], JSON]) -> JSON:
        """What `call` returns, or what it returned when this job was at the same place before.

        Raises Stopped where the job is not to go on, what `call` raises of core/errors, StepFailed for
        everything else that it raises, and TypeError where what it returns is no JSON.
        """

    def ownership(self) -> Callable[[], None]:
        """A call, for any thread, that raises Stopped where this job is not to go on here."""

    def pause(self, seconds: float) -> None:
        """Raises HandedOver where this process is about to end."""

    def job_id(self) -> str:
        """Of the job that this thread works on. Raises RuntimeError where there is none."""


Work: TypeAlias = Callable[[Mapping[str, JSON], Engine], JSON]


class StepFailed(Exception):
    """A step ended with an error that nobody raises on purpose. The message is one line of ASCII."""


class Stopped(BaseException):
    """The job is not to go on in this thread. No Exception: who catches those must not swallow it.

    Whoever cleans up behind it can take no further step: each raises it again.
    """


class Cancelled(Stopped):
    """Somebody has cancelled the job."""


class HandedOver(Stopped):
    """This process is about to end; the job goes on in another, behind its last finished step."""


class Interrupted(Stopped):
    """A database was away; once it is back, the job goes on behind its last finished step."""


class Taken(Stopped):
    """The job goes on in another process, which had reason to think that this one is dead."""
