"""The one way to GitHub's API: PyGithub's requester with its traps closed.

It sends each request once, follows nothing and logs nothing; what is repeated, and when, is decided
here. A read is repeated where its answer was lost. A write is repeated only where GitHub refused it
because of a limit: what else may be sent twice, sink.py knows.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn, Protocol
from urllib.parse import urlsplit

from reviewbot.core.errors import UsageError
from reviewbot.hosts.fetch import address, is_loopback, server
from reviewbot.hosts.github.failures import Answer, Refused, limited, pause, said, why
from reviewbot.hosts.github.pace import pace
from reviewbot.hosts.github.secrets import hide, quieten, scrubbed, secrets
from reviewbot.hosts.github.transport import GRAPHQL, Transport

PER_PAGE = 100
BACKOFF = (1.0, 2.0, 4.0)  # seconds before a read is repeated
REFUSALS = 5  # of one request because of limits, however short the waits


class Access(NamedTuple):
    """How GitHub is reached. No address ends in a slash."""

    api: str
    server: str  # of the pages and of git
    token: str

    def __repr__(self) -> str:
        return f"Access({self.api!r}, {self.server!r}, …)"


def access() -> Access:
    """From GITHUB_API_URL, GITHUB_SERVER_URL and GITHUB_TOKEN. Raises UsageError where one cannot be used."""
    token = os.environ.get("GITHUB_TOKEN", "")
    if not token:
        raise UsageError("there is no token for GitHub", "set GITHUB_TOKEN, for example to `gh auth token`")
    if not all("!" <= character <= "~" for character in token):
        raise UsageError("GITHUB_TOKEN holds characters that no token has", "copy it anew, on one line")
    return Access(*places(), token)


def places() -> tuple[str, str]:
    """The addresses of the API and of the pages, from GITHUB_API_URL and GITHUB_SERVER_URL. Raises
    UsageError where one cannot be used."""
    return address("GITHUB_API_URL", "https://api.github.com"), server()


class Renewal(Protocol):
    """Where tokens come from that end before the job does."""

    def current(self) -> str:
        """The one to be used now."""

    def renew(self, refused: str) -> str:
        """Another one in place of what GitHub has just refused."""


class Client:
    """For one job, and one thread. Methods raise Refused (a UsageError) where GitHub does not do what
    is asked; write() tells instead."""

    def __init__(
        self,
        access: Access,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
        most_wait: float = 120.0,
        renewal: Renewal | None = None,
        admits: Callable[[], None] = lambda: None,
    ) -> None:
        """most_wait: seconds that the whole job may wait for GitHub's limits. `access.token` "": none is
        sent. admits: raises where a write is not to be sent any more; each attempt asks."""
        self.access = access
        self._renewal, self._admits = renewal, admits
        self.calls = 0  # reads, each attempt one
        self.sleep = sleep
        self._clock = clock
        self._patience = most_wait
        self._token: str | None = None
        self._use(access.token)
        here = is_loopback(urlsplit(access.api).hostname or "")
        self._pace = None if here else pace(access.api, access.token)

    def get(self, path: str, **query: str | int) -> Any:
        """The JSON at `path`, which is below the API's root."""
        return self._got(path, query).data

    def pages(self, path: str, most: int, **query: str | int) -> list[Any]:
        """The first `most` rows of a list, and no word where there are more: who needs all of them asks for
        one more than it can have."""
        return self._rows(path, most, "", query)

    def pages_of(self, field: str, path: str, most: int, **query: str | int) -> list[Any]:
        """The same, where each page holds its rows in a field."""
        return self._rows(path, most, field, query)

    def graphql(self, query: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """The `data` of a query (no mutation: it is sent again where its answer was lost)."""
        answer = self._read("POST", GRAPHQL, {"query": query, "variables": variables}, {})
        if not answer.done or not isinstance(answer.data, dict):
            self._refuse("GraphQL", answer)
        return answer.data

    def scrubbed(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Without the secrets that this process holds."""
        return dict(scrubbed(body, self._secrets))

    def read(self, path: str, **query: str | int) -> Answer:
        """What GitHub answers to a GET, whatever it is."""
        return self._read("GET", path, None, query)

    def said(self, answer: Answer) -> str:
        """GitHub's own words."""
        return hide(said(answer.data), self._secrets)

    def why(self, answer: Answer) -> str:
        return hide(why(answer), self._secrets)

    def write(self, method: str, path: str, body: Mapping[str, Any]) -> Answer:
        """Sent once; again only after a limit."""
        return self._exchange(method, path, body, {}, write=True)

    def _rows(self, path: str, most: int, field: str, query: Mapping[str, str | int]) -> list[Any]:
        rows: list[Any] = []
        page = 1
        while len(rows) < most:
            answer = self._got(path, {**query, "per_page": PER_PAGE, "page": page})
            found = answer.data.get(field) if field and isinstance(answer.data, dict) else answer.data
            if not isinstance(found, list):
                raise Refused(answer.status, f"GET {path}: GitHub gives no list", "check GITHUB_API_URL")
            rows += found
            if not found or 'rel="next"' not in answer.headers.get("link", ""):
                break
            page += 1
        return rows[:most]

    def _got(self, path: str, query: Mapping[str, str | int]) -> Answer:
        answer = self._read("GET", path, None, query)
        if not answer.done or answer.data is None:
            self._refuse(f"GET {path}", answer)
        return answer

    def _refuse(self, what: str, answer: Answer) -> NoReturn:
        if answer.done:
            raise Refused(answer.status, f"{what}: GitHub's answer is no JSON", "check GITHUB_API_URL")
        raise Refused(429 if limited(answer) else answer.status, f"{what}: {self.why(answer)}")

    def _read(
        self, method: str, path: str, body: Mapping[str, Any] | None, query: Mapping[str, str | int]
    ) -> Answer:
        answer = self._exchange(method, path, body, query)
        for seconds in BACKOFF:
            if not answer.uncertain and answer.status != 202:
                break
            self.sleep(seconds)
            answer = self._exchange(method, path, body, query)
        if answer.status == 202:
            return Answer(0, lost="GitHub is still preparing the answer; try again later")
        return answer

    def _exchange(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        query: Mapping[str, str | int],
        *,
        write: bool = False,
    ) -> Answer:
        """Waits for limits, as long as the job's patience lasts."""
        for attempt in range(REFUSALS):
            answer = self._admitted(method, path, body, query, write)
            if not limited(answer):
                break
            seconds = pause(answer, attempt, self._clock())
            if seconds > self._patience:
                break
            self._patience -= seconds
            self.sleep(seconds)
        return answer

    def _admitted(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        query: Mapping[str, str | int],
        write: bool,
    ) -> Answer:
        """With a token that has not ended; and once more with another one where GitHub refuses it. What
        was refused has not been done, so a write is sent again too."""
        if self._renewal is None:
            return self._attempt(method, path, body, query, write)
        self._use(self._renewal.current())
        answer = self._attempt(method, path, body, query, write)
        if answer.status == 401:
            self._use(self._renewal.renew(self.access.token))
            answer = self._attempt(method, path, body, query, write)
        return answer

    def _use(self, token: str) -> None:
        if self._token == token:
            return
        self._token = token
        self.access = self.access._replace(token=token)
        self._secrets = secrets(token)
        quieten(self._secrets)
        self._transport = Transport(self.access.api, token)

    def _attempt(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        query: Mapping[str, str | int],
        write: bool,
    ) -> Answer:
        if not write:
            self.calls += 1
        else:
            if self._pace:
                self._pace.wait(self.sleep)
            self._admits()
        return self._transport.send(method, path, body, query)
