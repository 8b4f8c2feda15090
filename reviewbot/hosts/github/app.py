"""Who we are as a GitHub App: the key, the tokens that are minted with it, and whether GitHub takes them.

A token is for one installation and as few repositories and permissions as a job needs; it lives in
memory alone. GitHub compares our times with its own clock, so ours is set by the Date of its answers.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from email.utils import parsedate_to_datetime
from threading import Lock
from typing import Any, NamedTuple

from reviewbot.core.errors import UsageError
from reviewbot.core.types.run import Health
from reviewbot.hosts.github.appkey import Key, own_key
from reviewbot.hosts.github.client import BACKOFF, Access, Client, places
from reviewbot.hosts.github.failures import Answer, Refused

SIGNED = 540  # seconds that what we sign is good for; GitHub takes at most 600
BACKDATED = 60  # seconds, lest it be from GitHub's future
EARLY = 60.0  # seconds before its end in which a token is renewed
PROVEN = 60.0  # seconds that a token which was given speaks for the key
SKEWED = 30.0  # seconds that clocks may differ without being noticed
WRITES: Mapping[str, str] = {  # what a review needs
    "checks": "write",
    "contents": "read",
    "issues": "write",
    "metadata": "read",
    "pull_requests": "write",
}


class Minted(NamedTuple):
    """`until` by our clock, seconds since 1970."""

    value: str
    until: float

    def __repr__(self) -> str:
        return f"Minted(…, {self.until!r})"


class App:
    """May be used by several threads. Methods raise UsageError where GitHub refuses, or cannot be reached."""

    def __init__(
        self,
        api: str,
        server: str,
        key: Key,
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.api, self.server = api, server
        self._key = key
        self._clock, self._sleep = clock, sleep
        self._ahead = 0.0  # seconds that GitHub's clock is before ours
        self._lock = Lock()
        self._proven = 0.0  # until when a token need not be minted to know that it can be
        self._about: Mapping[str, Any] | None = None

    def slug(self) -> str:
        """What follows @ in a mention, and precedes [bot]. Asked for once."""
        if self._about is None:
            self._about = self._own()
        return str(self._about["slug"])

    def installation_of(self, repo: str) -> int:
        """The installation that may see owner/name."""
        found = self._asked("GET", f"/repos/{repo}/installation", None)
        return int(found["id"])

    def mint(
        self,
        installation: int,
        repositories: Sequence[str] | Sequence[int] = (),
        permissions: Mapping[str, str] = WRITES,
    ) -> Minted:
        """A token for these repositories (names without their owner, or ids; empty: all of the
        installation) with these permissions and no others."""
        body: dict[str, Any] = {"permissions": dict(permissions)}
        if repositories:
            named = isinstance(repositories[0], str)
            body["repositories" if named else "repository_ids"] = list(repositories)
        found = self._asked("POST", f"/app/installations/{installation}/access_tokens", body)
        ends = datetime.fromisoformat(found["expires_at"]).timestamp()
        return Minted(str(found["token"]), ends - self._ahead)

    def job(self, installation: int, repo: str, permissions: Mapping[str, str] = WRITES) -> JobToken:
        """For owner/name alone; minted when it is first used."""
        name = repo.partition("/")[2]
        return JobToken(lambda: self.mint(installation, (name,), permissions), self._clock)

    def client(self) -> Client:
        """Speaks as the App itself, for as long as it takes."""
        token = JobToken(self._signed, self._clock)
        return Client(
            Access(self.api, self.server, token.current()),
            sleep=self._sleep,
            clock=self._clock,
            renewal=token,
        )

    def credentials(self) -> Health:
        """Whether GitHub takes the key at this moment, and gives tokens for it."""
        try:
            found = self._own()
            self._try_mint()
        except UsageError as error:
            return Health("credentials", False, str(error))
        missing = [name for name, level in WRITES.items() if not _grants(found, name, level)]
        if missing:
            return Health("credentials", False, f"the App lacks {', '.join(missing)}; grant it on its page")
        return Health("credentials", True, f"the App {found['slug']}")

    def _try_mint(self) -> None:
        """A token of any one installation that can do nothing; after one that was given, not for a while.
        Where the installation itself is the reason that there is none, the key is well."""
        if self._clock() < self._proven:
            return
        rows = self._sent("GET", "/app/installations?per_page=1", None).data
        if not isinstance(rows, list) or not rows:
            return
        try:
            self.mint(int(rows[0]["id"]), (), {"metadata": "read"})
        except Refused as refused:
            if refused.status == 401:
                raise
        self._proven = self._clock() + PROVEN

    def clocks(self) -> Health:
        """By the Date of GitHub's last answer."""
        if abs(self._ahead) <= SKEWED:
            return Health("clock", True)
        way = "behind" if self._ahead > 0 else "ahead of"
        return Health("clock", False, f"{abs(self._ahead):.0f} s {way} GitHub's; set this machine's clock")

    def _own(self) -> Mapping[str, Any]:
        found = self._asked("GET", "/app", None)
        if not isinstance(found.get("slug"), str):
            raise Refused(200, "GET /app: GitHub's answer has no slug", "check GITHUB_API_URL")
        return found

    def _asked(self, method: str, path: str, body: Mapping[str, Any] | None) -> Mapping[str, Any]:
        for seconds in BACKOFF:
            answer = self._sent(method, path, body)
            if not (answer.uncertain and method == "POST"):  # a client repeats what it reads
                break
            self._sleep(seconds)
        if answer.done and isinstance(answer.data, dict):
            return answer.data
        client = self._speaker()
        if answer.status == 401:
            raise Refused(
                401,
                f"GitHub does not accept the App's key: {client.said(answer)}",
                "check REVIEWBOT_APP_ID and REVIEWBOT_PRIVATE_KEY",
            )
        raise Refused(answer.status, f"{method} {path}: {client.why(answer)}")

    def _sent(self, method: str, path: str, body: Mapping[str, Any] | None) -> Answer:
        """Once more where the clocks were the reason that it was refused."""
        client = self._speaker()
        answer = client.write(method, path, body) if body is not None else client.read(path)
        if self._learn(answer) and answer.status == 401:
            client = self._speaker()
            answer = client.write(method, path, body) if body is not None else client.read(path)
            self._learn(answer)
        return answer

    def _speaker(self) -> Client:
        access = Access(self.api, self.server, self._signed().value)
        return Client(access, sleep=self._sleep, clock=self._clock)

    def _learn(self, answer: Answer) -> bool:
        """Set our clock by an answer; whether it was wrong."""
        try:
            date = parsedate_to_datetime(answer.headers.get("date", "")).timestamp()
        except (ValueError, TypeError):
            return False
        with self._lock:
            before, self._ahead = self._ahead, date - self._clock()
            if abs(self._ahead) <= SKEWED:
                self._ahead = 0.0
            return abs(self._ahead - before) > SKEWED

    def _signed(self) -> Minted:
        now = int(self._clock() + self._ahead)
        return Minted(
            self._key.sign({"iat": now - BACKDATED, "exp": now - BACKDATED + SIGNED}),
            now - self._ahead + SIGNED - BACKDATED,
        )


class JobToken:
    """One token at a time, minted late. For one job; several threads may ask."""

    def __init__(self, mint: Callable[[], Minted], clock: Callable[[], float] = time.time) -> None:
        self._mint = mint
        self._clock = clock
        self._lock = Lock()
        self._minted: Minted | None = None

    def current(self) -> str:
        """Good for another minute at least."""
        with self._lock:
            if self._minted is None or self._minted.until - self._clock() < EARLY:
                self._minted = self._mint()
            return self._minted.value

    def renew(self, refused: str) -> str:
        """In place of the one that GitHub did not take; another thread may have done it already."""
        with self._lock:
            if self._minted is None or self._minted.value == refused:
                self._minted = self._mint()
            return self._minted.value


def own_app() -> App:
    """From REVIEWBOT_APP_ID and REVIEWBOT_PRIVATE_KEY, GITHUB_API_URL and GITHUB_SERVER_URL. Raises
    UsageError."""
    return App(*places(), own_key(os.environ))


def _grants(app: Mapping[str, Any], name: str, level: str) -> bool:
    held = app.get("permissions", {}).get(name)
    return held in ("write", "admin") or held == level
