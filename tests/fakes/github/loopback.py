"""The fake GitHub on a port of loopback."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlsplit

from tests.fakes.github.answers import Answer
from tests.fakes.github.exchange import Exchange
from tests.fakes.github.oauth import PATHS, serve_person
from tests.fakes.github.server import PREFIX, START, FakeGitHub
from tests.fakes.github.smart_http import serve_git


class _Handler(BaseHTTPRequestHandler):
    fake: FakeGitHub
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and content leave together

    def _serve(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = urlsplit(self.path)
        if url.path.startswith(PATHS):
            kind = self.headers.get("Content-Type", "")
            with self.fake.lock:
                page = serve_person(self.fake, self.command, url, kind, raw)
            self._send(*page)
            return
        if not url.path.startswith(("/api/v3", "/api/graphql")):
            self._serve_git(url, raw)
            return
        path = "/graphql" if url.path == "/api/graphql" else url.path.removeprefix(PREFIX)
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = json.loads(raw) if raw else None
        exchange = Exchange(
            self.command, path, dict(parse_qsl(url.query, keep_blank_values=True)), body, headers
        )
        if path == "/graphql":
            exchange.field, exchange.mutation = self.fake.graphql.field(body)
        with self.fake.lock:
            self.fake.log.append(exchange)
        answer, cut = self.fake.serve(exchange)
        exchange.status, exchange.answer = (0, None) if cut else (answer.status, answer.body)
        if cut:
            self.close_connection = True
            return
        self._send_answer(answer)

    def _serve_git(self, url: SplitResult, raw: bytes) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        exchange = Exchange(self.command, url.path, dict(parse_qsl(url.query)), None, headers)
        self.fake.git_log.append(exchange)
        fault = self.fake.fault_of(exchange)
        if fault and fault.then:
            fault.then()
        if fault and fault.delay:
            time.sleep(fault.delay)
        if fault and fault.drop:
            self.close_connection = True
        elif fault and fault.status:
            exchange.status = fault.status
            self._send(fault.status, fault.headers, b"")
        else:
            exchange.status, answered, content = serve_git(self.fake, self.command, url, self.headers, raw)
            self._send(exchange.status, answered, content)

    def _send_answer(self, answer: Answer) -> None:
        limits = {"x-ratelimit-limit": "5000", "x-ratelimit-remaining": "4999", "x-ratelimit-used": "1"}
        limits["x-ratelimit-reset"] = str(int(START.timestamp()) + 3600)
        if isinstance(answer.body, bytes):
            content, kind = answer.body, "application/vnd.github.raw; charset=utf-8"
        else:
            content = b"" if answer.body is None else json.dumps(answer.body).encode()
            kind = "application/json; charset=utf-8"
        self._send(answer.status, {"Content-Type": kind, **limits, **answer.headers}, content)

    def _send(self, status: int, headers: dict[str, str], content: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        try:
            self.wfile.write(content)
            self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client did not wait for a delayed answer

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _serve

    def date_time_string(self, timestamp: float | None = None) -> str:
        return super().date_time_string(self.fake.clock() if timestamp is None else timestamp)

    def log_message(self, *args: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed is none."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def fake_github(tmp_path: Path) -> Iterator[FakeGitHub]:
    """A running fake GitHub; its repositories live below `tmp_path`. Leaving it checks `violations`."""
    fake = FakeGitHub(tmp_path / "github")
    handler = type("Handler", (_Handler,), {"fake": fake})
    with _Server(("127.0.0.1", 0), handler) as server:
        fake.server = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield fake
        finally:
            server.shutdown()
            thread.join()
    if fake.violations:
        raise AssertionError("against the official description:\n" + "\n".join(fake.violations))
