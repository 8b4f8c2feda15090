"""POST /webhook: who sent it, what it asks for, and that it is kept; then the answer.

The work itself is done elsewhere, from the store. So an answer of 2xx means that nothing can be lost
any more, and every other one shows as failed in GitHub's list, from where it can be sent again.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse

from reviewbot.core.errors import StoreDown
from reviewbot.core.types.run import Delivery
from reviewbot.hosts.logs import about, log
from reviewbot.hosts.traces import span
from reviewbot.web.body import Room, Turned
from reviewbot.web.deciding import WORD, Envelope, delivery
from reviewbot.web.inbox import Full, Inbox
from reviewbot.web.metrics import Meters
from reviewbot.web.parts import Parts
from reviewbot.web.signature import formed, signed

LARGE = 256 * 1024  # bytes from which a body is not read and checked between other requests
AGAIN = "30"  # seconds
_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
_EVENT = re.compile(rf"[a-z0-9_]{{1,{WORD}}}")


class Door:
    def __init__(self, parts: Parts, inbox: Inbox, meters: Meters, room: Room) -> None:
        self._parts = parts
        self._inbox = inbox
        self._meters = meters
        self._room = room

    async def answer(self, request: Request) -> JSONResponse:
        begun = time.perf_counter()
        try:
            answer = await self._taken(request)
        except Turned as turned:
            answer = _refusal(turned)
            log("delivery refused", level=logging.WARNING, status=turned.status, why=turned.why)
        self._meters.answered(answer.status_code, time.perf_counter() - begun)
        return answer

    async def _taken(self, request: Request) -> JSONResponse:
        signature = _signature(request.headers)
        body = await self._room.read(request)
        if len(body) > LARGE:
            row = await asyncio.to_thread(self._checked, body, signature, request.headers)
        else:
            row = self._checked(body, signature, request.headers)
        with about(delivery=row.id), span("delivery", delivery=row.id, event=row.event):
            new = await self._kept(row)
            state = row.state if new else "known"
            log("delivery", event=row.event, action=row.action, repo=row.repo, state=state, why=row.why)
        self._meters.delivered(state)
        return _answer(row, new)

    def _checked(self, body: bytes, signature: bytes, headers: Headers) -> Delivery:
        if not signed(body, signature, self._parts.secrets):
            raise Turned(401, "the signature is not of this body and our secret")
        return delivery(body, _envelope(headers), self._parts.decide, self._parts.clock())

    async def _kept(self, row: Delivery) -> bool:
        try:
            return await self._inbox.keep(row)
        except Full as error:
            raise Turned(503, str(error)) from error
        except StoreDown as error:  # whose words are for our log alone
            log("the store is down", why=str(error), level=logging.ERROR)
            raise Turned(503, "the delivery cannot be stored now; send it again later") from error


def _signature(headers: Headers) -> bytes:
    """Bytes, since a header may hold any. The older SHA-1 header is not looked at."""
    given = headers.getlist("x-hub-signature-256")
    if len(given) != 1 or not formed(given[0].encode("latin-1")):
        raise Turned(401, "X-Hub-Signature-256 is missing or has another form; set a secret for the webhook")
    return given[0].encode("latin-1")


def _envelope(headers: Headers) -> Envelope:
    return Envelope(_one(headers, "X-GitHub-Delivery", _ID), _one(headers, "X-GitHub-Event", _EVENT))


def _one(headers: Headers, name: str, form: re.Pattern[str]) -> str:
    values = headers.getlist(name)
    if len(values) != 1 or not form.fullmatch(values[0]):
        raise Turned(400, f"{name} is missing, doubled or has another form")
    return values[0]


def _answer(row: Delivery, new: bool) -> JSONResponse:
    if not new:
        why = "this delivery was taken before"
        return JSONResponse({"delivery": row.id, "state": "known", "why": why})
    return JSONResponse({"delivery": row.id, "state": row.state, "why": row.why}, 202)


def _refusal(turned: Turned) -> JSONResponse:
    headers = {"Connection": "close"} if turned.status in (401, 408, 413) else {}
    if turned.status == 503:
        headers["Retry-After"] = AGAIN
    return JSONResponse({"error": turned.why}, turned.status, headers)
