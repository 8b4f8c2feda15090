"""Connections that ask for nothing."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread

import requests
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from reviewbot.web.lines import Line, lines

HALF = b"POST /webhook HTTP/1.1\r\nHost: x\r\n"


@contextmanager
def served(kind: type[Line]) -> Iterator[int]:
    app = Starlette(routes=[Route("/", lambda _: PlainTextResponse("here"))])
    server = uvicorn.Server(uvicorn.Config(app, http=kind, log_config=None, lifespan="off"))
    with socket.create_server(("127.0.0.1", 0)) as door:
        thread = Thread(target=server.run, args=([door],))
        thread.start()
        try:
            yield door.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(10)


def half(port: int, stack: ExitStack) -> socket.socket:
    line = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
    line.sendall(HALF)
    return line


def closed(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True


def test_a_header_that_does_not_come_is_not_waited_for() -> None:
    """1,100 halves of a header took all handles for as long as their sender liked."""
    with served(lines(50, 0.05)) as port, ExitStack() as stack:
        assert closed(half(port, stack))
        with requests.Session() as kept:
            assert [kept.get(f"http://127.0.0.1:{port}/").text for _ in range(3)] == ["here"] * 3


def test_of_too_many_connections_the_oldest_idle_one_is_closed() -> None:
    with served(lines(3, 60.0)) as port, ExitStack() as stack:
        first = half(port, stack)
        for _ in range(3):
            half(port, stack)
        assert closed(first)
        assert requests.get(f"http://127.0.0.1:{port}/", timeout=10).text == "here"


def test_as_many_handles_as_may_be_had() -> None:
    script = (
        "import resource as r; from reviewbot.web.lines import room;"
        "r.setrlimit(r.RLIMIT_NOFILE, (256, 2048)); print(room(), *r.getrlimit(r.RLIMIT_NOFILE))"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["1024", "2048", "2048"]
