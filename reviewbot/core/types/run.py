"""What the App remembers of its work. Times are seconds since 1970, UTC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Delivery(NamedTuple):
    """One event that GitHub delivered, and what was decided about it."""

    id: str  # X-GitHub-Delivery, the same on redelivery
    event: str
    action: str = ""
    installation: int | None = None
    repo: str = ""  # owner/name
    number: int | None = None  # of the pull request
    received: float = 0.0
    state: str = "received"  # received | claimed | queued | done | failed | ignored
    why: str = ""  # why nothing was done, or why it failed
    run: str = ""  # id of the Run that it led to
    trigger: Mapping[str, Any] | None = None  # what it asks for, as JSON; None: nothing


class Run(NamedTuple):
    """One job on one pull request: the page behind "View job"."""

    id: str  # 32 hex digits
    repo: str
    number: int
    installation: int | None = None
    kind: str = "review"  # review | command
    why: str = ""  # for people: "opened", "asked for by octo-dev"
    title: str = ""
    author: str = ""
    url: str = ""  # of the pull request
    head: str = ""
    base: str = ""
    state: str = "waiting"  # waiting | running | done | failed | cancelled
    verdict: str = ""  # clean | findings | incomplete; "": it is not done
    created: float = 0.0
    begun: float | None = None
    ended: float | None = None
    worker: str = ""
    usd: float = 0.0
    error: str = ""  # for people: why it failed or was cancelled
    document: Mapping[str, Any] | None = None  # the JSON report, schema reviewbot.review/1
    facts: Mapping[str, Any] | None = None  # beside it: effective configuration, what was posted


class Progressed(NamedTuple):
    """One tick of a run's stages."""

    n: int  # counts from 0 within the run
    at: float
    stage: str
    done: int = 0
    total: int = 0


class ClassVotes(NamedTuple):
    """How people took the findings of one class in one repository."""

    slug: str
    found: int = 0
    fixed: int = 0  # gone from a later head
    dismissed: int = 0
    down: int = 0  # thumbs
    resolved: int = 0  # by a person, without a change


class RepoRow(NamedTuple):
    """One repository on the dashboard."""

    name: str
    runs: int
    last: float
    verdicts: Mapping[str, int]
    usd: float


class Health(NamedTuple):
    name: str  # database | sandbox | credentials | clock | model
    well: bool
    detail: str = ""
