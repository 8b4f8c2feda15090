"""GitHub's pages that a person's browser visits: the login, and the making of an App.

The person is `fake.person`, and consents to everything at once.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, parse_qsl, urlencode

if TYPE_CHECKING:
    from tests.fakes.github.server import FakeGitHub

PATHS = ("/login/oauth/", "/settings/apps/new", "/organizations/")
Page = tuple[int, dict[str, str], bytes]


def serve_person(fake: FakeGitHub, method: str, url: SplitResult, kind: str, raw: bytes) -> Page:
    """Status, headers and content. `kind`: the body's Content-Type."""
    query = dict(parse_qsl(url.query))
    body = json.loads(raw) if raw and "json" in kind else dict(parse_qsl(raw.decode()))
    if (method, url.path) == ("GET", "/login/oauth/authorize"):
        return _authorize(fake, query)
    if (method, url.path) == ("POST", "/login/oauth/access_token"):
        return _access_token(fake, body)
    if method == "POST" and url.path.endswith("/settings/apps/new"):
        return _new_app(fake, query, json.loads(body["manifest"]))
    return 404, {}, b"Not Found"


def _authorize(fake: FakeGitHub, query: dict[str, str]) -> Page:
    code = f"code{fake.next_id()}"
    fake.codes[code] = fake.person
    return _back(query["redirect_uri"], code, query.get("state", ""))


def _access_token(fake: FakeGitHub, body: dict[str, Any]) -> Page:
    """As GitHub does, an error is a success too."""
    login = fake.codes.pop(body.get("code", ""), None)
    if login is None or not body.get("client_id") or not body.get("client_secret"):
        found = {"error": "bad_verification_code", "error_description": "The code is incorrect or expired."}
    else:
        token = f"ghu_{fake.next_id():036}"
        fake.people[token] = login
        found = {"access_token": token, "token_type": "bearer", "scope": ""}
    return 200, {"Content-Type": "application/json; charset=utf-8"}, json.dumps(found).encode()


def _new_app(fake: FakeGitHub, query: dict[str, str], manifest: dict[str, Any]) -> Page:
    code = f"code{fake.next_id()}"
    fake.manifests[code] = manifest
    return _back(manifest["redirect_url"], code, query.get("state", ""))


def _back(to: str, code: str, state: str) -> Page:
    return 302, {"Location": f"{to}?{urlencode({'code': code, 'state': state})}"}, b""
