"""A repository: its reviews over time, and what people did with the findings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from reviewbot.core.report import words
from reviewbot.core.report.arranged import decides
from reviewbot.core.report.filters import href
from reviewbot.core.types.run import ClassVotes, Run
from reviewbot.web.login.guard import Visitor
from reviewbot.web.pages.desk import Desk, NotShown, before
from reviewbot.web.pages.filters import stamp
from reviewbot.web.pages.runs import took

EACH = 30  # reviews of a page
TALLEST = 72  # of a bar
KNOWN = 10_000  # reviews of which it is kept how much they found


class Bar(NamedTuple):
    kind: str  # clean | findings | incomplete | waiting
    height: int
    words: str


class Repositories:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._new = lru_cache(KNOWN)(self._counted)

    def routes(self) -> list[BaseRoute]:
        return [Route("/repos/{owner}/{name}", self._desk.door(self.show), methods=["GET"])]

    def show(self, request: Request, visitor: Visitor) -> Response:
        repo = "{owner}/{name}".format_map(request.path_params).lower()  # as it is kept
        store, at = self._desk.site.store, before(request)
        found = store.runs.of_repo(repo, EACH + 1, at)
        if not self._desk.guard.may_read(visitor, repo) or not (found or at):
            raise NotShown
        now = self._desk.site.clock()
        rows = [row(run, now, self._new(run.id, run.ended)) for run in found[:EACH]]
        older = f"/repos/{repo}?before={found[EACH - 1].created!r}" if len(found) > EACH else ""
        return self._desk.page(
            "repository.html.j2",
            visitor,
            repo=repo,
            href=href(f"{self._desk.site.server}/{repo}"),
            row=next((r for r in store.runs.repos() if r.name == repo), None),
            runs=rows,
            bars=bars(rows),
            older=older,
            votes=[{**v._asdict(), "precision": precision(v)} for v in store.votes.by_class(repo)],
        )

    def _counted(self, id: str, ended: float | None) -> int | None:
        """ended: a run that ends once more has another report."""
        run = self._desk.site.store.runs.get(id) if ended is not None else None
        return None if run is None or run.document is None else sum(map(decides, run.document["findings"]))


def row(run: Run, now: float, new: int | None = None) -> dict[str, Any]:
    """A run as the tables show it; `new` is None where it has no report."""
    return {**run._asdict(), "new": new, "took": took(run, now)}


def bars(rows: Sequence[dict[str, Any]]) -> list[Bar]:
    """The oldest first. A review without a finding has a low bar, so that it is seen."""
    most = max((r["new"] or 0 for r in rows), default=0)
    return [_bar(r, most) for r in reversed(rows)]


def _bar(row: dict[str, Any], most: int) -> Bar:
    new, state = row["new"] or 0, row["state"]
    kind = row["verdict"] or ("waiting" if state in ("waiting", "running") else "incomplete")
    verdict = row["verdict"] or state
    said = f"#{row['number']}, {stamp(row['created'])}: {verdict}, {words.count(new, 'new finding')}"
    return Bar(kind, 6 + round((TALLEST - 6) * new / most) if most else 6, said)


def precision(votes: ClassVotes) -> float | None:
    """Of the findings that people took a stand on, the share that they fixed. None: nobody did. What was
    resolved without a change may have been either, and does not count."""
    against = votes.dismissed + votes.down
    return votes.fixed / (votes.fixed + against) if votes.fixed + against else None
