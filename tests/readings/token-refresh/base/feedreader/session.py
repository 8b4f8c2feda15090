"""Who is signed in."""

from __future__ import annotations

import asyncio
import time

from feedreader.accounts import Grant, Http, renew


class Session:
    """Hands out access tokens, and renews them. One for each tenant."""

    def __init__(self, http: Http, grant: Grant) -> None:
        self._http = http
        self._grant = grant
        self._until = time.monotonic() + grant.seconds
        self._lock = asyncio.Lock()

    async def token(self) -> str:
        """An access token that is good now. Raises SignedOut."""
        async with self._lock:
            if time.monotonic() >= self._until:
                await self._renew()
            return self._grant.access

    async def _renew(self) -> None:
        grant = await renew(self._http, self._grant.refresh)
        self._grant = grant
        self._until = time.monotonic() + grant.seconds
