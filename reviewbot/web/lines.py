"""Connections: how long one may take to ask for something, and how many there are."""

from __future__ import annotations

import resource
from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER = 10.0  # seconds for a whole header; GitHub has given up then
MOST = 65_536  # handles that are asked for
LEAST = 64  # connections, however few handles there are


def room() -> int:
    """Allow this process as many handles as it may have. Returns how many connections fit: half of them,
    for hundreds are taken in one turn before the first of too many is closed."""
    soft, hard = (
        MOST if n == resource.RLIM_INFINITY else n for n in resource.getrlimit(resource.RLIMIT_NOFILE)
    )
    wanted = min(hard, MOST)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    return max(min(max(soft, wanted), MOST) // 2, LEAST)


class Line(HttpToolsProtocol):
    """Closed where its header does not come in time; of too many the one that has asked for nothing the
    longest."""

    most: int
    seconds: float
    idle: dict[Line, None]  # those of the server that ask for nothing, the oldest first

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._late: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._waits()
        if len(self.connections) > self.most:
            oldest = next(iter(self.idle))  # this one, where all others are being answered
            oldest._busy()
            oldest.connections.discard(oldest)
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._busy()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._late is None:
            self._waits()

    def on_headers_complete(self) -> None:
        self._busy()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self.idle[self] = None  # uvicorn closes it soon, unless a request begins

    def _waits(self) -> None:
        self.idle[self] = None
        self._late = self.loop.call_later(self.seconds, self.transport.abort)

    def _busy(self) -> None:
        self.idle.pop(self, None)
        if self._late is not None:
            self._late.cancel()
            self._late = None


def lines(most: int, seconds: float = HEADER) -> type[Line]:
    """For one server."""
    return type("ServedLine", (Line,), {"most": most, "seconds": seconds, "idle": {}})
