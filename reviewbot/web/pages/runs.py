"""The page behind "View job": what a run does, what it found and why it decided so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from reviewbot.core.report.arranged import arranged
from reviewbot.core.report.filters import href
from reviewbot.core.types.run import Run
from reviewbot.web.login.guard import Visitor
from reviewbot.web.pages.configuration import flat
from reviewbot.web.pages.desk import Desk
from reviewbot.web.pages.stages import OPEN, stages


class Runs:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def routes(self) -> list[BaseRoute]:
        return [Route("/runs/{id}", self._desk.door(self.show), methods=["GET"])]

    def show(self, request: Request, visitor: Visitor) -> Response:
        run = self._desk.run(visitor, request.path_params["id"])
        ticks = self._desk.site.store.runs.ticks(run.id)
        facts = run.facts or {}
        address = href(f"{self._desk.site.server}/{run.repo}")
        return self._desk.page(
            "run.html.j2",
            visitor,
            run={**run._asdict(), "took": took(run, self._desk.site.clock()), "href": href(run.url)},
            live=run.state in OPEN,
            stages=stages(run, ticks),
            doc=None if run.document is None else arranged(run.document, address),
            configuration=sorted(flat(facts.get("configuration", {}))),
            posted=[_posted(row) for row in facts.get("posted", ())],
        )


def took(run: Run, now: float) -> float | None:
    """Seconds of work so far; None: it has not begun."""
    if run.begun is None:
        return None
    return max((run.ended if run.ended is not None else now) - run.begun, 0.0)


def _posted(row: Mapping[str, Any]) -> dict[str, str]:
    """A row of facts["posted"]: what it is, in words, and its address."""
    return {"what": str(row["what"]), "href": href(str(row.get("url", "")))}
