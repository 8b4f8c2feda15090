"""Around every request: paths that mean something else elsewhere, bodies nobody asked for, headers."""

from __future__ import annotations

import re

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FORM = 64 * 1024  # bytes of a body, except that of a delivery
WEBHOOK = "/webhook"
_ODD = re.compile(r"//|/\.{1,2}(?:/|$)|[\\\x00-\x1f\x7f]")
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        " font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_HSTS = {"Strict-Transport-Security": "max-age=31536000"}


class Shield:
    """ASGI. A header that an answer has already, it keeps."""

    def __init__(self, app: ASGIApp, *, https: bool = False) -> None:
        self._app = app
        self._headers = {**_HEADERS, **(_HSTS if https else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        if _ODD.search(scope["path"]):
            await PlainTextResponse("Not Found", 404)(scope, receive, dressed)
        elif scope["path"] != WEBHOOK and _announced(scope) > FORM:
            await PlainTextResponse("the body is too large", 413)(scope, receive, dressed)
        else:
            await self._app(scope, receive, dressed)


def _announced(scope: Scope) -> int:
    """Bytes of the body by its header; one that names none is as large as can be."""
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"0")
    if b"transfer-encoding" in headers or not length.isdigit():
        return FORM + 1
    return int(length[:20])
