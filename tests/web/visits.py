"""A browser without scripts: it holds cookies, and follows nothing."""

from __future__ import annotations

import re
from typing import Any

from starlette.testclient import TestClient

from reviewbot.web.site import Site
from tests.web import made


def browser(site: Site, **options: Any) -> TestClient:
    return TestClient(made.app(site), follow_redirects=False, base_url="http://127.0.0.1:8000", **options)


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, name
    return found[1]


def administrator(site: Site, token: str = made.ADMIN) -> TestClient:
    visit = browser(site)
    form = field(visit.get("/login").text, "form")
    answer = visit.post("/login", data={"token": token, "form": form, "next": "/"})
    assert answer.status_code == 303, answer.text
    return visit


def person(site: Site, goal: str = "/") -> TestClient:
    """octo-dev, logged in by GitHub."""
    visit = browser(site)
    away = visit.get("/login/github", params={"next": goal})
    assert away.status_code == 303
    back = visit.get(away.headers["location"])
    assert (back.status_code, back.headers["location"]) == (303, goal)
    return visit
