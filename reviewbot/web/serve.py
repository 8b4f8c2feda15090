"""The server on its socket, until a signal ends it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from starlette.applications import Starlette

GRACE = 10  # seconds for requests that are under way


class Serving:
    """`stop` may be called from any thread."""

    def __init__(self, app: Starlette, host: str, port: int) -> None:
        config = uvicorn.Config(
            app,
            host=host,
            port=port,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            proxy_headers=False,  # nobody's word is taken for who asks
        )
        self._server = _Server(config)

    def run(self) -> None:
        """Until SIGTERM, SIGINT or stop(). Raises SystemExit where the address is taken."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._signalled)
        self._server.run()

    def stop(self) -> None:
        self._server.should_exit = True

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        self.stop()


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Its own way raises the signal once more at the end, which would end us before the jobs."""
        yield
