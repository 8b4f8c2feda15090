"""What the ports of a durable job have around them, beside what jobs/memo.py remembers."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from reviewbot.core.errors import ReviewbotError, StoreDown
from reviewbot.core.ports import Sink
from reviewbot.core.types import Reply, Request
from reviewbot.core.types.run import Run
from reviewbot.hosts.github.app import JobToken
from reviewbot.hosts.github.client import Access, Client
from reviewbot.hosts.github.failures import Refused
from reviewbot.jobs.engine import JSON, Cancelled, Step
from reviewbot.jobs.memo import Diverged, is_beside
from reviewbot.store import Store
from reviewbot.store.answers import Answers

EVERY = 0.5  # seconds between two ticks of one stage


class Remembering(Client):
    """A Client each read of which is a step, what GitHub refused too."""

    def __init__(self, access: Access, token: JobToken, step: Step, ownership: Callable[[], None]) -> None:
        super().__init__(access, renewal=token, admits=self._admits)
        self._step, self._ownership = step, ownership

    def _admits(self) -> None:
        """What is beside the steps may say that the job was cancelled."""
        try:
            self._ownership()
        except Cancelled:
            if not is_beside():
                raise

    def get(self, path: str, **query: str | int) -> Any:
        return self._kept(f"GET {path}", partial(super().get, path, **query))

    def pages(self, path: str, most: int, **query: str | int) -> list[Any]:
        found: list[Any] = self._kept(f"GET {path}", partial(super().pages, path, most, **query))
        return found

    def graphql(self, query: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = self._kept("GraphQL", partial(super().graphql, query, variables))
        return found

    def _kept(self, name: str, call: Callable[[], Any]) -> Any:
        if is_beside():
            return call()

        def step() -> JSON:
            try:
                return {"of": name, "gave": call()}
            except Refused as error:
                return {"of": name, "refused": error.status, "why": str(error)}

        kept: Any = self._step("read", step)
        if kept["of"] != name:
            raise Diverged(name)
        if "refused" in kept:
            raise Refused(kept["refused"], kept["why"])
        return kept["gave"]


_KINDS = (  # of what is posted, by the paths that make or change it
    (re.compile(r".*/pulls/\d+/reviews"), "the review"),
    (re.compile(r".*/issues/\d+/comments|.*/issues/comments/\d+"), "a comment"),
    (re.compile(r".*/pulls/\d+/comments"), "a comment on a line"),
    (re.compile(r".*/check-runs(/\d+)?"), "the check run"),
)


class Noted(NamedTuple):
    """Implements core.ports.Sink around another: what is posted is linked to on the run's page."""

    sink: Sink
    posted: dict[str, str]  # address -> what it is

    def send(self, request: Request) -> Reply:
        reply = self.sink.send(request)
        what = next((words for form, words in _KINDS if form.fullmatch(request.path)), "")
        if reply.done and what and (url := reply.data.get("html_url")):
            self.posted[str(url)] = what
        return reply

    def find(self, request: Request) -> Reply:
        return self.sink.find(request)

    def head(self) -> str:
        return self.sink.head()

    def comments(self, review: int) -> Sequence[tuple[str, int | None, str, str]] | None:
        return self.sink.comments(review)


class Living(NamedTuple):
    """Implements llm.cassette.Kept for as long as the run is there: who has uninstalled us was told that
    nothing is kept, and an answer may come later."""

    store: Store
    run: str
    answers: Answers

    def read(self, name: str) -> bytes | None:
        return self.answers.read(name)

    def write(self, name: str, content: bytes) -> None:
        with suppress(StoreDown):
            if self.store.runs.is_there(self.run):
                self.answers.write(name, content)


class Ticks:
    """A Progress into the store, for a page that follows it: of each stage the first, the last, and some."""

    def __init__(self, run: Run, store: Store) -> None:
        self._run, self._store = run, store
        self._stage, self._at = "", 0.0

    def __call__(self, stage: str, done: int = 0, total: int = 0) -> None:
        now = time.monotonic()
        if stage == self._stage and now - self._at < EVERY and done < total:
            return
        self._stage, self._at = stage, now
        with suppress(ReviewbotError):  # a page that lags behind is no reason to end a review
            self._store.runs.tick(self._run.id, stage, done, total)
