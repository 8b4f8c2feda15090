"""Who is signed in."""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple

from feedreader.accounts import Grant, Http, renew

MARGIN = 30  # seconds before its end in which a token is not handed out any more


class Counts(NamedTuple):
    """How often a token was asked for, and how often that took a renewal."""

    asked: int
    renewed: int


class Session:
    """Hands out access tokens, and renews them. One for each tenant.

    Most of the time the token is good. Then nobody waits for the lock: with a few hundred feeds
    that is what `token` cost most.
    """

    def __init__(self, http: Http, grant: Grant) -> None:
        self._http = http
        self._lock = asyncio.Lock()
        self._asked = 0
        self._renewed = 0
        self._keep(grant)

    @property
    def counts(self) -> Counts:
        return Counts(self._asked, self._renewed)

    async def token(self) -> str:
        """An access token that is good for a while. Raises SignedOut."""
        self._asked += 1
        if self._is_good():
            return self._grant.access
        async with self._lock:
            await self._renew()
            return self._grant.access

    def _is_good(self) -> bool:
        return time.monotonic() < self._until

    async def _renew(self) -> None:
        self._keep(await renew(self._http, self._grant.refresh))
        self._renewed += 1

    def _keep(self, grant: Grant) -> None:
        self._grant = grant
        # A token of a short life is handed out for half of it.
        self._until = time.monotonic() + max(grant.seconds - MARGIN, grant.seconds / 2)
