"""The local page from which a browser takes the manifest to GitHub, and to which it brings the code."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable, Mapping
from html import escape
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from reviewbot.core.errors import UsageError

HOST = "127.0.0.1"
BACK = "/made"
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width">
<h1>{title}</h1>
{body}
</html>
"""
_FORM = """<p>GitHub will show what the App may do, and ask whether to make it.</p>
<form action="{action}" method="post">
<input type="hidden" name="manifest" value="{manifest}">
<button>Continue on GitHub</button>
</form>"""


class MakingPage:
    """Listens on loopback from the beginning; close() ends it."""

    def __init__(self, port: int = 0) -> None:
        """`port` 0: any that is free. Raises UsageError where it is taken."""
        self.state = secrets.token_urlsafe(32)
        self._code = ""
        self._form = ""
        self._policy = "default-src 'none'; frame-ancestors 'none'"
        try:
            self._server = HTTPServer((HOST, port), self._handler())
        except OSError as error:
            raise UsageError(
                f"cannot listen on {HOST}:{port}: {error.strerror}", "name another --port"
            ) from error
        self._server.timeout = 0.5  # seconds after which Ctrl-C is heard

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self._server.server_port}"

    @property
    def back(self) -> str:
        return self.address + BACK

    def offer(self, action: str, manifest: Mapping[str, Any]) -> None:
        """Show the form. action: GitHub's address, with our `state` in it."""
        self._form = _FORM.format(action=escape(action), manifest=escape(json.dumps(manifest)))
        parts = urlsplit(action)
        self._policy += f"; form-action {parts.scheme}://{parts.netloc}"

    def code(self) -> str:
        """Waits until the browser brings it."""
        while not self._code:
            self._server.handle_request()
        return self._code

    def close(self) -> None:
        self._server.server_close()

    def _answer(self, host: str, target: str) -> tuple[int, str, str]:
        """Status, title and body."""
        url = urlsplit(target)
        # Another name that leads here would make the page readable to the site of that name.
        if host not in (f"{HOST}:{self._server.server_port}", f"localhost:{self._server.server_port}"):
            return 400, "Not this host", ""
        if url.path == "/":
            return 200, "Make the App", self._form
        if url.path != BACK:
            return 404, "Not found", ""
        query = parse_qs(url.query)
        state, code = (query.get(name, [""])[0] for name in ("state", "code"))
        if not hmac.compare_digest(state.encode(), self.state.encode()) or not code:
            return 400, "Not what was asked for", "<p>Begin again on the first page.</p>"
        self._code = code
        return 200, "Done", "<p>The rest is said where reviewbot was started. This page can be closed.</p>"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        page = self

        class Handler(BaseHTTPRequestHandler):
            timeout = 5  # seconds for a browser that opens a connection and says nothing

            def do_GET(self) -> None:
                status, title, body = page._answer(self.headers.get("Host", ""), self.path)
                content = _PAGE.format(title=title, body=body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Content-Security-Policy", page._policy)
                self.send_header("Cache-Control", "no-store")
                self.send_header("Referrer-Policy", "no-referrer")
                self.end_headers()
                self.wfile.write(content)

            log_message: Callable[..., None] = _silent

        return Handler


def _silent(*_: object) -> None:
    """The code is in the request's line."""
