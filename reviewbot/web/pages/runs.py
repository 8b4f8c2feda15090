"""The page behind "View job": what a run does, what it found and why it decided so."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from reviewbot.core.report.arranged import arranged
from reviewbot.core.report.bounded import LIMITS, Bounds
from reviewbot.core.report.filters import href
from reviewbot.core.types.run import Run
from reviewbot.web.login.guard import Visitor
from reviewbot.web.pages.configuration import flat
from reviewbot.web.pages.desk import Desk, NotShown
from reviewbot.web.pages.stages import OPEN, stages

KEPT = 16  # reports as the page shows them: to read one of thousands of findings takes a second


class Runs:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._shown = lru_cache(KEPT)(self._arranged)

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/runs/{id}", self._desk.door(self.show), methods=["GET"]),
            Route("/runs/{id}/report.json", self._desk.door(self.report), methods=["GET"]),
        ]

    def show(self, request: Request, visitor: Visitor) -> Response:
        run = self._desk.run(visitor, request.path_params["id"])
        ticks = self._desk.site.store.runs.ticks(run.id)
        facts, page = run.facts or {}, Bounds(LIMITS)
        return self._desk.page(
            "run.html.j2",
            visitor,
            run={**run._asdict(), "took": took(run, self._desk.site.clock()), "href": href(run.url)},
            live=run.state in OPEN,
            stages=stages(run, ticks),
            doc=None if run.state in OPEN else self._shown(run.id, run.ended),
            configuration=page.some(sorted(flat(facts.get("configuration", {}))), "configuration"),
            posted=page.some([_posted(row) for row in facts.get("posted", ())], "posted"),
            more=page.more,
        )

    def _arranged(self, id: str, ended: float | None) -> dict[str, Any] | None:
        """ended: a run that ends once more has another report."""
        run = self._desk.site.store.runs.get(id)
        if run is None or run.document is None:
            return None
        address = href(f"{self._desk.site.server}/{run.repo}")
        return arranged(run.document, address, report=f"/runs/{id}/report.json")

    def report(self, request: Request, visitor: Visitor) -> Response:
        """All of it, as it is stored."""
        run = self._desk.run(visitor, request.path_params["id"])
        parts = self._desk.site.store.runs.report(run.id)
        if parts is None:
            raise NotShown
        headers = {"Content-Disposition": f'attachment; filename="reviewbot-{run.id}.json"'}
        return StreamingResponse(parts, media_type="application/json", headers=headers)


def took(run: Run, now: float) -> float | None:
    """Seconds of work so far; None: it has not begun."""
    if run.begun is None:
        return None
    return max((run.ended if run.ended is not None else now) - run.begun, 0.0)


def _posted(row: Mapping[str, Any]) -> dict[str, str]:
    """A row of facts["posted"]: what it is, in words, and its address."""
    return {"what": str(row["what"]), "href": href(str(row.get("url", "")))}
