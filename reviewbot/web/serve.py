"""The server on its socket, until a signal ends it."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from reviewbot.core.errors import UsageError
from reviewbot.web.lines import lines, room

WAITING = 1_024  # connections that are not yet looked at
GRACE = 10  # seconds for requests that are under way


class Serving:
    """On a socket that bound() gave. `stop` may be called from any thread."""

    def __init__(self, app: Starlette, door: socket.socket) -> None:
        self._door = door
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            proxy_headers=False,  # nobody's word is taken for who asks
        )
        self._server = _Server(config)

    def run(self) -> None:
        """Until SIGTERM, SIGINT or stop()."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._signalled)
        # Here, since what was begun before has handles of its own.
        self._server.config.http = lines(room())
        self._server.run([self._door])

    def stop(self) -> None:
        self._server.should_exit = True

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        self.stop()


def bound(host: str, port: int) -> socket.socket:
    """Who connects from now on waits until the server runs. Raises UsageError where the address is taken, or
    none of ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        door = socket.create_server((host, port), family=family, backlog=WAITING)
    except OSError as error:
        raise UsageError(f"{host}:{port}: {error.strerror}", "choose another --host or --port") from error
    # Its connections inherit it. asyncio sets it for sockets made with IPPROTO_TCP alone, which this is not,
    # and the second part of each answer waited 40 ms for the client's delayed ACK.
    door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return door


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Its own way raises the signal once more at the end, which would end us before the jobs."""
        yield
