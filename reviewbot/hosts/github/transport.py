"""One HTTP exchange through PyGithub's requester, which repeats, follows and logs nothing here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from reviewbot.core.errors import UsageError
from reviewbot.hosts.github.failures import MOVED, Answer, of_graphql

if TYPE_CHECKING:
    from github.Requester import HTTPRequestsConnectionClass, HTTPSRequestsConnectionClass, Requester

    Connection = HTTPRequestsConnectionClass | HTTPSRequestsConnectionClass

TIMEOUT = 30  # seconds in which GitHub must send something
GRAPHQL = "/graphql"

# PyGithub waits for a 202 without an end, and follows a 301 without its query.
_TOLD = frozenset({202, *MOVED})


class Transport:
    """For one thread; it keeps its connection."""

    def __init__(self, api: str, token: str) -> None:
        self._api = api
        self._requester = _requester(api, token)
        self._line: Any = _Line(_connection(api))

    def send(
        self, method: str, path: str, body: Mapping[str, Any] | None, query: Mapping[str, str | int]
    ) -> Answer:
        """Once. path: below the API's root. Never raises for what GitHub or the network does."""
        if path == GRAPHQL:
            return of_graphql(self._sent(method, self._requester.graphql_url, body, {}))
        answer = self._sent(method, path, body, query)
        to = answer.headers.get("location", "")
        if method == "GET" and answer.status in MOVED and to.startswith(f"{self._api}/"):
            return self._sent(method, to, None, {} if urlsplit(to).query else query)
        return answer

    def _sent(
        self, method: str, url: str, body: Mapping[str, Any] | None, query: Mapping[str, str | int]
    ) -> Answer:
        import requests

        try:
            status, headers, text = self._requester.requestJson(
                method, url, parameters=dict(query), input=body, cnx=self._line
            )
        except requests.Timeout:
            return Answer(0, lost=f"GitHub did not answer within {TIMEOUT} s")
        except requests.RequestException as error:
            kind = type(error).__name__  # its words may hold a proxy's password
            return Answer(0, lost=f"GitHub cannot be reached ({kind}); check the network and GITHUB_API_URL")
        except _Told as told:
            return told.answer
        return Answer(status, headers, _json(text))


class _Told(Exception):
    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


class _Line:
    """A connection of PyGithub's that keeps from the requester what it would handle badly."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def request(self, *args: Any) -> None:
        self._connection.request(*args)

    def getresponse(self) -> Any:
        response = self._connection.getresponse()
        if response.status in _TOLD:
            raise _Told(Answer(response.status, {name.lower(): v for name, v in response.getheaders()}))
        return response


def _requester(api: str, token: str) -> Requester:
    try:
        from github import Auth
        from github.Requester import Requester
    except ImportError as error:
        name = error.name or error
        raise UsageError(
            f"{name} is not installed, which pull requests need", "pip install 'reviewbot[github]'"
        ) from error
    return Requester(
        auth=Auth.Token(token) if token else None,
        base_url=api,
        timeout=TIMEOUT,
        user_agent="reviewbot",
        per_page=100,
        verify=True,
        retry=0,
        pool_size=None,
    )


def _connection(api: str) -> Connection:
    from github.Requester import HTTPRequestsConnectionClass, HTTPSRequestsConnectionClass

    parts = urlsplit(api)
    kind = HTTPSRequestsConnectionClass if parts.scheme == "https" else HTTPRequestsConnectionClass
    return kind(parts.hostname or "", parts.port, timeout=TIMEOUT, retry=0)


def _json(text: str) -> Any:
    """None: it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return None
