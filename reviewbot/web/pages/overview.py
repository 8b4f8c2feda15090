"""What goes on: the dashboard, and for the administrator every delivery with what was decided."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from reviewbot.web.login.guard import Visitor
from reviewbot.web.pages.desk import Desk, NotShown, before
from reviewbot.web.pages.repositories import row

LATEST = 60  # repositories about which GitHub is asked for one visitor
ALL = 500  # that the administrator sees
RUNS = 50
EACH = 100  # deliveries of a page


class Overview:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/", self._desk.door(self.dashboard), methods=["GET"]),
            Route("/deliveries", self._desk.door(self.deliveries), methods=["GET"]),
        ]

    def dashboard(self, _: Request, visitor: Visitor) -> Response:
        runs, site = self._desk.site.store.runs, self._desk.site
        most = ALL if visitor.admin else LATEST
        rows, going = runs.repos(most + 1), runs.open(RUNS)
        names = list(dict.fromkeys([*(r.name for r in rows[:most]), *(r.repo for r in going)]))
        readable, unknown = self._readable(visitor, names)
        return self._desk.page(
            "dashboard.html.j2",
            visitor,
            here="dashboard",
            rows=[r for r in rows[:most] if r.name in readable],
            open_runs=[row(run, site.clock()) for run in going if run.repo in readable],
            cut=most if len(rows) > most else 0,
            unknown=unknown,
            health=site.health(),
        )

    def deliveries(self, request: Request, visitor: Visitor) -> Response:
        if not visitor.admin:
            raise NotShown
        repo = request.query_params.get("repo", "").strip()[:200]
        rows = self._desk.site.store.deliveries.recent(EACH + 1, before(request), repo or None)
        query = {"before": repr(rows[EACH - 1].received)} if len(rows) > EACH else {}
        older = f"/deliveries?{urlencode({**query, **({'repo': repo} if repo else {})})}" if query else ""
        return self._desk.page(
            "deliveries.html.j2", visitor, here="deliveries", rows=rows[:EACH], repo=repo, older=older
        )

    def _readable(self, visitor: Visitor, names: Sequence[str]) -> tuple[set[str], int]:
        """What the visitor may read, and of how many it is not known."""
        if visitor.admin or self._desk.guard.access is None:
            return (set(names) if visitor.admin else set()), 0
        known = self._desk.guard.access.of(visitor.token, names)
        return {name for name, may in known.items() if may}, sum(may is None for may in known.values())
