"""The server: which path is whose."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from reviewbot.web.body import Room
from reviewbot.web.door import Door
from reviewbot.web.health import Checkup
from reviewbot.web.inbox import Inbox
from reviewbot.web.metrics import TYPE, Meters
from reviewbot.web.parts import Parts
from reviewbot.web.shield import WEBHOOK, Shield


def application(
    parts: Parts,
    pages: Sequence[BaseRoute] = (),
    *,
    meters: Meters | None = None,
    checkup: Checkup | None = None,
    room: Room | None = None,
) -> Starlette:
    """`pages` are the routes of people. `meters` and `checkup`: for who shares them with other rooms."""
    gauges = meters or Meters(parts.store, parts.clock)
    inbox = Inbox(parts.store.deliveries.take, parts.wake)

    async def metrics(_: Request) -> Response:
        return Response(await asyncio.to_thread(gauges.text), media_type=TYPE)

    @asynccontextmanager
    async def open_inbox(_: Starlette) -> AsyncIterator[None]:
        inbox.start()
        try:
            yield
        finally:
            await inbox.stop()

    routes = [
        Route(WEBHOOK, Door(parts, inbox, gauges, room or Room()).answer, methods=["POST"]),
        Route("/healthz", (checkup or Checkup(parts.store, parts.checks)).answer, methods=["GET"]),
        Route("/metrics", metrics, methods=["GET"]),
        *pages,
    ]
    https = parts.settings.public_url.startswith("https://")
    made = Starlette(routes=routes, lifespan=open_inbox, middleware=[Middleware(Shield, https=https)])
    made.router.redirect_slashes = False  # it would answer with the host that the request claims
    return made
