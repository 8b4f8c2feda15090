"""What every page asks before it shows anything."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from reviewbot.core.errors import StoreDown, UsageError
from reviewbot.core.types.run import Run
from reviewbot.web.login.guard import Guard, Visitor
from reviewbot.web.pages.render import Render

Shown = Callable[[Request, Visitor], Response]
_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)


class NotShown(Exception):
    """It is not there, or it is not this visitor's to read: for who asks, the same."""


class Desk:
    def __init__(self, guard: Guard, render: Render) -> None:
        self.guard, self.render, self.site = guard, render, guard.site

    def door(self, show: Shown) -> Callable[[Request], Response]:
        """`show`, for who is logged in; who is not is sent to log in, whether the page exists or not."""

        def answer(request: Request) -> Response:
            try:
                visitor = self.guard.visitor(request)
            except StoreDown:
                return self._down()
            if visitor is None:
                return self._ask(request)
            try:
                return show(request, visitor)
            except NotShown:
                return self.render.missing(visitor)
            except StoreDown:
                return self._down()
            except UsageError:
                return self.render.unsure(visitor)

        return answer

    def run(self, visitor: Visitor, id: str) -> Run:
        """Without its document. Raises NotShown, and UsageError where GitHub does not say whose it is to
        read."""
        run = self.site.store.runs.get(id, document=False) if _ID.fullmatch(id) else None
        if run is None or not self.guard.may_read(visitor, run.repo):
            raise NotShown
        return run

    def page(self, template: str, visitor: Visitor, **values: Any) -> Response:
        return self.render.page(template, visitor, **values)

    def _ask(self, request: Request) -> Response:
        if "authorization" in request.headers:
            response = self.render.notice(None, "Not let in", "That is not the administrator's token.", 401)
            response.headers["WWW-Authenticate"] = "Bearer"
            return response
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/login?next={quote(request.url.path + query, safe='')}", 303)

    def _down(self) -> Response:
        return self.render.notice(
            None, "Back soon", "The database does not answer. Try again in a minute.", 503
        )


def before(request: Request) -> float | None:
    """The page after: of what is older than that, in seconds since 1970."""
    text = request.query_params.get("before", "")
    return float(text) if re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,9})?", text, re.ASCII) else None
