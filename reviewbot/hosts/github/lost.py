"""Where the answer to a write was lost: is what it should make there?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from reviewbot.core.types import Request
from reviewbot.hosts.github.client import Client
from reviewbot.hosts.github.failures import Refused, of_form
from reviewbot.hosts.github.reading import COMMENTS, viewer, who

CHECKS = 1_000  # runs of one name on a commit

Made = Mapping[str, Any]
Look = Callable[[], Made | None]  # None: it is not there. Raises Refused where GitHub does not say.

WAITS = (1.0, 2.0, 4.0)  # seconds before each look: GitHub may still be about to store it

_CHECK = re.compile(r"(/repos/[^/]+/[^/]+)/check-runs")
_ONE_CHECK = re.compile(r"/repos/[^/]+/[^/]+/check-runs/[^/]+")
_COLLECTION = re.compile(r"/repos/[^/]+/[^/]+/(pulls/\d+/reviews|(issues|pulls)/\d+/comments)")


def search(client: Client, request: Request, known: Mapping[str, int]) -> Look | None:
    """How to look for what a request makes. None: it may be sent twice without harm. `known`: as `counted`
    tells of each check run; GitHub is asked first where only the state before tells, and is not known."""
    if request.method == "PATCH" and _ONE_CHECK.fullmatch(request.path) and _annotations(request.body):
        return _appended(client, request, known.get(request.path))
    if not request.marker or request.method != "POST":
        return None
    if check := _CHECK.fullmatch(request.path):
        return lambda: _begun(client, check[1], request.body)
    if _COLLECTION.fullmatch(request.path):
        return lambda: _posted(client, request)
    return None


def counted(request: Request, made: Made) -> dict[str, int]:
    """Path of the check run that was made or changed -> annotations that it has."""
    output = made.get("output")
    count = output.get("annotations_count") if isinstance(output, Mapping) else None
    path = f"{request.path}/{made.get('id')}" if _CHECK.fullmatch(request.path) else request.path
    return {path: count} if isinstance(count, int) and _ONE_CHECK.fullmatch(path) else {}


def patiently(client: Client, look: Look) -> Made | None:
    """Several looks. Raises Refused where the last one was not answered."""
    for seconds in WAITS:
        client.sleep(seconds)
        with of_form("what was posted"):
            made = look()
        if made is not None:
            return made
    return None


def _posted(client: Client, request: Request) -> Made | None:
    me = viewer(client)  # everybody can paste a marker
    if "/pulls/" in request.path and request.path.endswith("/comments"):
        rows = client.pages(request.path, 100, sort="created", direction="desc")
    else:
        rows = client.pages(request.path, COMMENTS)
    for row in rows:
        if request.marker in (row["body"] or "") and who(row["user"]) == me:
            return row  # type: ignore[no-any-return]
    return None


def _begun(client: Client, repo: str, body: Mapping[str, Any]) -> Made | None:
    """The newest run of this name: an older one may have the same id of ours, and then it has ended."""
    path = f"{repo}/commits/{quote(str(body['head_sha']))}/check-runs"
    rows = client.pages_of("check_runs", path, CHECKS, check_name=str(body["name"]), filter="all")
    ours = [
        row
        for row in rows
        if row["external_id"] == body.get("external_id") and row["status"] == body.get("status", "queued")
    ]
    return max(ours, key=lambda row: int(row["id"]), default=None)


def _appended(client: Client, request: Request, before: int | None) -> Look:
    """Annotations are added to those that are there: sent twice, they stand there twice."""
    try:
        if before is None:
            with of_form("the check run"):
                before = int(client.get(request.path)["output"]["annotations_count"])
    except Refused as error:
        return _unknown(error)
    wanted = before + len(_annotations(request.body))

    def look() -> Made | None:
        run: Made = client.get(request.path)
        return run if run["output"]["annotations_count"] >= wanted else None

    return look


def _unknown(error: Refused) -> Look:
    def look() -> Made | None:
        raise error

    return look


def _annotations(body: Mapping[str, Any]) -> list[Any]:
    return (body.get("output") or {}).get("annotations") or []
