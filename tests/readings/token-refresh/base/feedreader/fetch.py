"""Feeds, side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from feedreader.session import Session


class Feeds(Protocol):
    async def get(self, url: str, token: str) -> bytes: ...


async def fetch_all(session: Session, feeds: Feeds, urls: Sequence[str]) -> list[bytes]:
    """Raises SignedOut."""

    async def one(url: str) -> bytes:
        return await feeds.get(url, await session.token())

    return list(await asyncio.gather(*map(one, urls)))
