"""The body of a request, read within bounds of size, memory and time."""

from __future__ import annotations

import asyncio
from typing import NoReturn

from starlette.requests import ClientDisconnect, Request

LARGEST = 25 * 1024 * 1024  # bytes; GitHub sends no larger payload
ROOM = 96 * 1024 * 1024  # bytes of all bodies that are read at this moment
SECONDS = 10.0  # after which GitHub has given up


class Turned(Exception):
    """The request ends here, with this status and one line for who sent it."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.why = why


class Room:
    """For one event loop."""

    def __init__(self, most: int = ROOM, largest: int = LARGEST, seconds: float = SECONDS) -> None:
        self._free = most
        self._largest = largest
        self._seconds = seconds

    async def read(self, request: Request) -> bytes:
        """Raises Turned: 400, 408, 413, or 503 where there is no memory for it."""
        self._announced(request)
        held = 0
        parts: list[bytes] = []
        try:
            async with asyncio.timeout(self._seconds):
                async for chunk in request.stream():
                    held += len(chunk)
                    self._free -= len(chunk)
                    parts.append(chunk)
                    if held > self._largest:
                        self._too_large()
                    if self._free < 0:
                        raise Turned(503, "too many large deliveries come at once; send it again")
            return b"".join(parts)
        except TimeoutError:
            raise Turned(408, f"the body did not come within {self._seconds:.0f} s") from None
        except ClientDisconnect:
            raise Turned(400, "the body ended early") from None
        finally:
            self._free += held

    def _announced(self, request: Request) -> None:
        """Refuse by the header what would be refused after reading."""
        lengths = request.headers.getlist("content-length")
        if len(lengths) > 1 or (lengths and not (lengths[0].isascii() and lengths[0].isdecimal())):
            raise Turned(400, "Content-Length is no number")
        if lengths and int(lengths[0][:20]) > self._largest:
            self._too_large()

    def _too_large(self) -> NoReturn:
        raise Turned(413, f"a delivery has at most {self._largest} bytes")
