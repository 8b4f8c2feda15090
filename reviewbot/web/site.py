"""What the pages are made of. Who starts the server builds it; nothing here reads the environment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from reviewbot.core.types.run import Health
from reviewbot.web.parts import Settings

if TYPE_CHECKING:
    from reviewbot.store import Store


class SignIn(Protocol):
    """GitHub as it logs people in. Each call may take seconds; it raises UsageError where GitHub
    refuses or does not answer."""

    def address(self, state: str, back: str, challenge: str) -> str:
        """Where the browser is sent. back: our address to which GitHub returns it."""

    def token(self, code: str, back: str, verifier: str) -> str: ...

    def login(self, token: str) -> str:
        """Whose token it is."""

    def reads(self, token: str, repo: str) -> bool:
        """Whether that person may read owner/name."""


class Site(NamedTuple):
    store: Store
    settings: Settings
    clock: Callable[[], float]  # seconds since 1970
    secret: bytes  # seals cookies: at least 32 bytes, the same in all processes of one installation
    signin: SignIn | None = None  # None: nobody logs in by GitHub
    server: str = "https://github.com"  # of the pages that are linked to, without a slash at its end
    name: str = "reviewbot"
    health: Callable[[], Sequence[Health]] = tuple  # of the last look; it must not take long
