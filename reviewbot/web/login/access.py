"""Whether a person may read a repository: asked of GitHub, remembered for minutes."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from reviewbot.core.errors import UsageError
from reviewbot.web.site import SignIn

YES, NO = 300.0, 60.0  # seconds that an answer is believed
MOST = 10_000  # answers kept
AT_ONCE = 8


class Access:
    """For any number of threads."""

    def __init__(self, signin: SignIn, clock: Callable[[], float]) -> None:
        self._signin, self._clock = signin, clock
        self._known: dict[tuple[bytes, str], tuple[bool, float]] = {}
        self._lock = threading.Lock()

    def reads(self, token: str, repo: str) -> bool:
        """Raises UsageError where GitHub does not say."""
        key = (hashlib.sha256(token.encode()).digest(), repo)
        with self._lock:
            answer, until = self._known.get(key, (False, 0.0))
        if self._clock() < until:
            return answer
        answer = self._signin.reads(token, repo)
        with self._lock:
            self._known.pop(key, None)
            self._known[key] = (answer, self._clock() + (YES if answer else NO))
            while len(self._known) > MOST:
                del self._known[next(iter(self._known))]
        return answer

    def of(self, token: str, repos: Sequence[str]) -> dict[str, bool | None]:
        """The same for several at once; None where GitHub does not say."""

        def asked(repo: str) -> bool | None:
            try:
                return self.reads(token, repo)
            except UsageError:
                return None

        with ThreadPoolExecutor(AT_ONCE) as pool:
            return dict(zip(repos, pool.map(asked, repos), strict=True))
