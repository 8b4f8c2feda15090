"""What a job on a pull request has in hand, and what a job engine puts around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from reviewbot.core.options import DiffOptions
from reviewbot.core.ports import Gates, Model, Progress, Sink
from reviewbot.core.types import Pull, Said, Settings, Stamp

if TYPE_CHECKING:
    from reviewbot.hosts.github.client import Client
    from reviewbot.llm.cassette import Kept

T = TypeVar("T")


def as_it_is(port: T) -> T:
    return port


def at_once(error: BaseException, say: Callable[[], None]) -> None:
    say()


def unseen(pull: Pull, said: Said, stamp: Stamp, settings: Settings) -> None:
    """Nobody watches."""


class Around(NamedTuple):
    """A durable job remembers what each call of a port gave. The defaults put nothing around them."""

    gates: Callable[[Gates], Gates] = as_it_is
    model: Callable[[Model], Model] = as_it_is
    sink: Callable[[Sink], Sink] = as_it_is
    beside: Callable[[Progress], Progress] = as_it_is  # what a clock decides is not remembered
    ended: Callable[[BaseException, Callable[[], None]], None] = at_once  # by an error: whether that is said
    answers: Kept | None = None  # where a model's answers are kept; None: in the state folder
    results: bool = (
        True  # whether those of gates may be kept in the state folder, of all repositories together
    )
    secret: bytes = b""  # behind the mark of data: equal on all machines that may go on with a job; b"": ours
    seen: Callable[[Pull, Said, Stamp, Settings], None] = unseen  # what is known before the work starts


PLAIN = Around()


class Hands(NamedTuple):
    """`review` says how a pull request is reviewed; its change is not used. `send`: "" nothing, "dry" a
    rehearsal, "post"."""

    client: Client
    review: DiffOptions
    send: str = ""
    run_url: str = ""  # the page of this job
    around: Around = PLAIN
