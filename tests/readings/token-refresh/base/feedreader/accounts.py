"""The accounts service."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol


class Grant(NamedTuple):
    access: str
    refresh: str  # for one use
    seconds: int  # that `access` is good for


class SignedOut(Exception):
    """The refresh token is not good any more: somebody has to sign in again."""


class Http(Protocol):
    async def post(self, path: str, form: dict[str, str]) -> tuple[int, dict[str, Any]]: ...


async def renew(http: Http, refresh: str) -> Grant:
    """Raises SignedOut."""
    status, said = await http.post("/token", {"grant_type": "refresh_token", "refresh_token": refresh})
    if status != 200:
        raise SignedOut(said.get("error", "no reason given"))
    return Grant(said["access_token"], said["refresh_token"], said["expires_in"])
