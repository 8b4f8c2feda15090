"""What the server is made of. Who starts it builds the parts; nothing here reads the environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from reviewbot.core.errand import Errand
from reviewbot.core.types.run import Health

if TYPE_CHECKING:
    from reviewbot.store import Store


class Decide(Protocol):
    """What an event asks for. Raises UsageError where a field of the payload is not as GitHub writes it."""

    def __call__(self, event: str, payload: Mapping[str, Any]) -> Errand: ...


class Settings(NamedTuple):
    public_url: str = ""  # without a slash at its end; "": links are not made
    admin: bytes = b""  # SHA-256 of the administrator's token; empty: there is none
    retention_days: int = 90


class Parts(NamedTuple):
    secrets: tuple[bytes, ...]  # of the webhook; two while one replaces the other
    store: Store
    decide: Decide
    settings: Settings
    checks: Sequence[Callable[[], Health]]  # beside that of the store; each may take seconds
    clock: Callable[[], float]  # seconds since 1970
    wake: Callable[[], None]  # called from any thread when there is something to do
