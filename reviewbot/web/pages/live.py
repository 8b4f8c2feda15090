"""Server-sent events of a run: its stages as they tick, until it has ended."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from reviewbot.core.errors import StoreDown, UsageError
from reviewbot.core.types.run import Run
from reviewbot.web.pages.desk import Desk, NotShown
from reviewbot.web.pages.stages import OPEN, stages

EVERY = 0.5  # seconds between two looks
ALIVE = 15.0  # seconds after which something is said, so that no proxy hangs up
LONGEST = 300.0  # seconds; then the browser comes again and shows once more who asks
AT_ONCE = 500  # listeners of this process
_HEADERS = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}


class _Told(NamedTuple):
    ended: bool
    text: str  # "" if nothing changed


class Live:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._listening = 0

    def routes(self) -> list[BaseRoute]:
        return [Route("/runs/{id}/events", self.follow, methods=["GET"])]

    async def follow(self, request: Request) -> Response:
        if self._listening >= AT_ONCE:
            return PlainTextResponse("too many listeners", 503, {"Retry-After": "30"})
        try:
            run = await run_in_threadpool(self._run, request)
        except NotShown:  # 204 and 4xx both end an EventSource for good
            return PlainTextResponse("Not Found", 404)
        except (StoreDown, UsageError):
            return PlainTextResponse("not now", 503, {"Retry-After": "5"})
        return StreamingResponse(self._events(run), media_type="text/event-stream", headers=_HEADERS)

    def _run(self, request: Request) -> Run:
        visitor = self._desk.guard.visitor(request)
        if visitor is None:
            raise NotShown
        return self._desk.run(visitor, request.path_params["id"])

    async def _events(self, run: Run) -> AsyncIterator[str]:
        self._listening += 1
        began = said = time.monotonic()
        last = ""
        try:
            yield "retry: 2000\n\n"
            while time.monotonic() - began < LONGEST:
                told = await run_in_threadpool(self._look, run.id, last)
                if told.text:
                    last, said = told.text, time.monotonic()
                    yield f"event: stages\ndata: {told.text}\n\n"
                if told.ended:
                    yield "event: ended\ndata: {}\n\n"
                    return
                if time.monotonic() - said > ALIVE:
                    said = time.monotonic()
                    yield ": still here\n\n"
                await asyncio.sleep(EVERY)
        except StoreDown:
            return  # the browser comes again
        finally:
            self._listening -= 1

    def _look(self, id: str, last: str) -> _Told:
        store = self._desk.site.store.runs
        ticks = store.ticks(id)
        run = store.get(id, document=False)
        if run is None:
            return _Told(True, "")
        rows = [
            {"stage": s.stage, "does": s.does, "state": s.state, "amount": s.amount}
            for s in stages(run, ticks)
        ]
        text = json.dumps({"state": run.state, "stages": rows})
        return _Told(run.state not in OPEN, "" if text == last else text)
