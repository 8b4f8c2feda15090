"""GitHub as it tells who a person is, and what that person may read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from reviewbot.core.errors import UsageError

if TYPE_CHECKING:
    import requests

SECONDS = 10  # in which GitHub must answer: somebody sits and waits
_REPO = re.compile(r"[A-Za-z0-9_-]+/(?!\.{1,2}$)[A-Za-z0-9._-]+", re.ASCII)
_NO = (401, 403, 404, 451)


class Oauth:
    """The login of one App. For any number of threads. Nothing of it is kept here."""

    def __init__(self, client: str, secret: str, api: str, server: str) -> None:
        """client, secret: as the App's settings show them. No address ends in a slash."""
        self._client, self._secret = client, secret
        self._api, self._server = api, server

    def __repr__(self) -> str:
        return f"Oauth({self._client!r}, …)"

    def address(self, state: str, back: str, challenge: str) -> str:
        """Where the browser is sent. It comes back to `back` with the state and a code."""
        query = {"client_id": self._client, "redirect_uri": back, "state": state}
        query |= {"code_challenge": challenge, "code_challenge_method": "S256"}
        return f"{self._server}/login/oauth/authorize?{urlencode(query)}"

    def token(self, code: str, back: str, verifier: str) -> str:
        """The user's token for the code. Raises UsageError."""
        given = {"client_id": self._client, "client_secret": self._secret, "code": code}
        given |= {"redirect_uri": back, "code_verifier": verifier}
        answer = self._sent("POST", f"{self._server}/login/oauth/access_token", given)
        found = _json(answer)
        token = found.get("access_token")
        if answer.status_code != 200 or not isinstance(token, str) or not token:
            why = str(found.get("error", f"HTTP {answer.status_code}"))[:80]
            raise UsageError(f"GitHub gives no token for a login: {why}", "check REVIEWBOT_CLIENT_SECRET")
        return token

    def login(self, token: str) -> str:
        """Whose token it is. Raises UsageError."""
        answer = self._sent("GET", f"{self._api}/user", token=token)
        login = _json(answer).get("login")
        if answer.status_code != 200 or not isinstance(login, str) or not login:
            raise UsageError(f"GitHub does not say whose token it is: HTTP {answer.status_code}")
        return login

    def reads(self, token: str, repo: str) -> bool:
        """Whether the person may read owner/name. Raises UsageError where GitHub does not say."""
        if not _REPO.fullmatch(repo):
            return False
        answer = self._sent("GET", f"{self._api}/repos/{repo}", token=token)
        limited = answer.headers.get("x-ratelimit-remaining") == "0" or "retry-after" in answer.headers
        if answer.status_code == 200:
            return True
        if answer.status_code in _NO and not limited:
            return False
        raise UsageError(f"GitHub does not say who may read {repo}: HTTP {answer.status_code}")

    def _sent(
        self, method: str, url: str, body: dict[str, str] | None = None, token: str = ""
    ) -> requests.Response:
        import requests

        headers = {"Accept": "application/json", "User-Agent": "reviewbot"}
        if token:
            headers |= {"Accept": "application/vnd.github+json", "Authorization": f"Bearer {token}"}
        try:
            # A renamed repository answers with a redirect; the token goes to no other host.
            return requests.request(method, url, json=body, headers=headers, timeout=SECONDS)
        except requests.RequestException as error:
            kind = type(error).__name__  # its words may hold a proxy's password
            raise UsageError(f"GitHub cannot be reached ({kind})", "check the network") from error


def _json(answer: requests.Response) -> dict[str, Any]:
    try:
        found = answer.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
