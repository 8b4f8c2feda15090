"""Who is asking, and whether they may see it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from reviewbot.web.login.access import Access
from reviewbot.web.login.seal import Seal
from reviewbot.web.login.tries import Tries
from reviewbot.web.site import Site

LIFETIME = 8 * 3600.0  # seconds of a session; as long as a user's token of GitHub lives
ADMINISTRATOR = "@administrator"  # in the store; no login of GitHub holds an @
_BEARER = "bearer "


class Visitor(NamedTuple):
    login: str = ""  # on GitHub; "": the administrator
    admin: bool = False
    form: str = ""  # what each form of theirs brings back; "": they have no session to act in
    token: str = ""  # with which GitHub is asked what they may read
    session: str = ""

    def __repr__(self) -> str:
        return f"Visitor({self.login!r}, admin={self.admin})"


class Guard:
    def __init__(self, site: Site) -> None:
        self.site = site
        self.seal = Seal(site.secret)
        self.access = Access(site.signin, site.clock) if site.signin else None
        self.tries = Tries(site.clock)
        self.https = site.settings.public_url.startswith("https://")
        self._cookie = "__Host-reviewbot" if self.https else "reviewbot"

    def visitor(self, request: Request) -> Visitor | None:
        """By the Authorization header, else by the cookie; None: nobody that is known."""
        words = request.headers.get("authorization", "")
        if words[: len(_BEARER)].lower() == _BEARER:
            right = self.tries.take(request, words[len(_BEARER) :].strip(), self.is_admin)
            return Visitor(admin=True) if right else None
        held = self.seal.opened(request.cookies.get(self._cookie, ""), LIFETIME, self.site.clock())
        if held is None or held.get("kind") != "session":
            return None
        session = self.site.store.sessions.get(_hashed(held["id"]))
        if session is None:
            return None
        admin = session.login == ADMINISTRATOR
        if admin and held["of"] != self._of_admin():
            return None
        return Visitor("" if admin else session.login, admin, held["form"], held["token"], held["id"])

    def is_admin(self, token: str) -> bool:
        """In a time that does not depend on how much of it is right."""
        given = hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
        known = self.site.settings.admin
        return hmac.compare_digest(given, known or bytes(32)) and bool(known)

    def may_read(self, visitor: Visitor, repo: str) -> bool:
        """Raises UsageError where GitHub does not say."""
        return visitor.admin or (self.access is not None and self.access.reads(visitor.token, repo))

    def let_in(self, response: Response, login: str = "", token: str = "") -> None:
        """Begin a session; without a login it is the administrator's."""
        name, now = secrets.token_urlsafe(32), self.site.clock()
        held = {"kind": "session", "id": name, "form": secrets.token_urlsafe(16), "token": token}
        held["of"] = "" if login else self._of_admin()
        self.site.store.sessions.open(login or ADMINISTRATOR, _hashed(name), now + LIFETIME)
        self.put(response, self._cookie, self.seal.sealed(held, now), LIFETIME)

    def let_out(self, response: Response, visitor: Visitor) -> None:
        self.site.store.sessions.close(_hashed(visitor.session))
        self.put(response, self._cookie, "", 0)

    def put(self, response: Response, name: str, value: str, seconds: float) -> None:
        """A cookie that no script reads, and that comes with no request of another site but a plain link."""
        response.set_cookie(
            name, value, max_age=int(seconds), path="/", secure=self.https, httponly=True, samesite="lax"
        )

    def own(self, request: Request) -> bool:
        """Whether a form was sent from a page of ours, as far as the browser tells."""
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        origin = request.headers.get("origin")
        return origin is None or origin in (self.site.settings.public_url, str(request.base_url).rstrip("/"))

    def _of_admin(self) -> str:
        """A session ends when the token that began it is no longer the administrator's."""
        return hashlib.sha256(b"session of " + self.site.settings.admin).hexdigest()


def _hashed(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
