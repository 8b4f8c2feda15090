"""Logging in and out: by GitHub, or with the administrator's token."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
import secrets
from typing import Any
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from reviewbot.core.errors import UsageError
from reviewbot.web.login.guard import Guard
from reviewbot.web.pages.render import Render

MINUTES = 600.0  # seconds in which a login is to be ended
LARGEST = 8_192  # bytes of a form
SECONDS = 10.0  # in which it comes
_STATE, _FORM = "reviewbot-login", "reviewbot-form"
_LOCAL = re.compile(r"/(?![/\\])[\w./?=&%~+-]{0,500}", re.ASCII)


class Doors:
    def __init__(self, guard: Guard, render: Render) -> None:
        self._guard, self._render = guard, render
        self._site = guard.site

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/login", self.page, methods=["GET"]),
            Route("/login", self.token, methods=["POST"]),
            Route("/login/github", self.github, methods=["GET"]),
            Route("/login/callback", self.callback, methods=["GET"]),
            Route("/logout", self.logout, methods=["POST"]),
        ]

    def page(self, request: Request) -> Response:
        if self._guard.visitor(request):
            return _to(local(request.query_params.get("next", "")))
        return self._page(local(request.query_params.get("next", "")))

    async def token(self, request: Request) -> Response:
        form = await _form(request)
        return await run_in_threadpool(self._token, request, form)

    def github(self, request: Request) -> Response:
        """Off to GitHub. What comes back must carry the state that this browser holds."""
        if self._site.signin is None:
            return self._render.missing(None)
        now, verifier = self._site.clock(), secrets.token_urlsafe(48)
        state = secrets.token_urlsafe(24)
        held = {"kind": "login", "state": state, "verifier": verifier}
        held["next"] = local(request.query_params.get("next", ""))
        digest = hashlib.sha256(verifier.encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        response = _to(self._site.signin.address(state, self._back(request), challenge))
        self._guard.put(response, _STATE, self._guard.seal.sealed(held, now), MINUTES)
        return response

    def callback(self, request: Request) -> Response:
        asked, now = request.query_params, self._site.clock()
        held = self._guard.seal.opened(request.cookies.get(_STATE, ""), MINUTES, now)
        if self._site.signin is None:
            return self._render.missing(None)
        if not held or held.get("kind") != "login" or not _same(held["state"], asked.get("state", "")):
            return self._page("/", "This login was not begun in this browser, or long ago. Try again.", 400)
        if "code" not in asked:
            return self._page(held["next"], "GitHub did not let you in. Try again.", 403)
        try:
            token = self._site.signin.token(asked["code"], self._back(request), held["verifier"])
            login = self._site.signin.login(token)
        except UsageError:  # its words may hold what only the server's owner should read
            return self._page(held["next"], "GitHub did not confirm who you are. Try again.", 502)
        response = _to(held["next"])
        self._guard.let_in(response, login, token)
        self._guard.put(response, _STATE, "", 0)
        return response

    async def logout(self, request: Request) -> Response:
        form = await _form(request)
        return await run_in_threadpool(self._logout, request, form)

    def _logout(self, request: Request, form: dict[str, str]) -> Response:
        visitor = self._guard.visitor(request)
        response = _to("/login")
        if visitor is None or not visitor.session:
            return response
        if not self._guard.own(request) or not _same(visitor.form, form.get("form", "")):
            return self._render.notice(visitor, "Not done", "The form was not one of this page.", 403)
        self._guard.let_out(response, visitor)
        return response

    def _token(self, request: Request, form: dict[str, str]) -> Response:
        goal, now = local(form.get("next", "")), self._site.clock()
        held = self._guard.seal.opened(request.cookies.get(_FORM, ""), MINUTES, now)
        ours = held is not None and held.get("kind") == "form" and _same(held["form"], form.get("form", ""))
        if not ours or not self._guard.own(request):
            return self._page(goal, "The form was old, or not one of this page. Try again.", 403)
        right = self._guard.tries.take(request, form.get("token", "").strip(), self._guard.is_admin)
        if right is None:
            return self._page(goal, "Too many wrong tokens from your address. Wait a minute.", 429)
        if not right:
            return self._page(goal, "That is not the administrator's token.", 403)
        response = _to(goal)
        self._guard.let_in(response)
        self._guard.put(response, _FORM, "", 0)
        return response

    def _page(self, goal: str, wrong: str = "", status: int = 200) -> Response:
        form = secrets.token_urlsafe(16)
        settings = self._site.settings
        shown: dict[str, Any] = {"next": goal, "wrong": wrong, "form": form, "token": bool(settings.admin)}
        shown["github"] = self._site.signin is not None
        response = self._render.page("login.html.j2", None, status, **shown)
        held = {"kind": "form", "form": form}
        self._guard.put(response, _FORM, self._guard.seal.sealed(held, self._site.clock()), MINUTES)
        return response

    def _back(self, request: Request) -> str:
        return f"{self._site.settings.public_url or str(request.base_url).rstrip('/')}/login/callback"


def local(path: str) -> str:
    """Where to go after the login: a path of ours, whatever was asked for."""
    return path if _LOCAL.fullmatch(path) and not path.startswith("/log") else "/"


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form, the last of each name; empty where it is too large, too late or cut off."""
    body = b""
    try:
        async with asyncio.timeout(SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > LARGEST:
                    return {}
    except (ClientDisconnect, TimeoutError):
        return {}
    try:
        fields = parse_qs(body.decode("ascii"), max_num_fields=20)
    except ValueError:
        return {}
    return {name: values[-1] for name, values in fields.items()}


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def _to(address: str) -> RedirectResponse:
    return RedirectResponse(address, 303)
