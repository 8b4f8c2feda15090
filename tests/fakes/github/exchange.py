"""A request with its answer, and what can go wrong between the two."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.github.model import Json

GIT_SERVICES = (".git/info/refs", ".git/git-upload-pack", ".git/git-receive-pack")


@dataclass
class Exchange:
    """A request to the interface and its answer; `path` has no prefix, header names are lower case."""

    method: str
    path: str
    query: dict[str, str]
    body: Any
    headers: dict[str, str]
    field: str = ""  # GraphQL: the first field asked for
    mutation: bool = False
    status: int = 0
    answer: Any = None

    @property
    def is_read(self) -> bool:
        if self.path == "/graphql":
            return not self.mutation
        return self.method in ("GET", "HEAD")


@dataclass
class Fault:
    """What goes wrong with the requests whose path matches; the first that matches takes effect.

    `path` is a regular expression for the whole path without prefix, or `graphql:FIELD`, or `git:` and a
    regular expression for the path of a git client. Status 0 leaves the answer as it is, for a fault that
    is only a `delay` or a `then`. `stored`: the request is carried out before its answer is lost.
    `times` -1: for ever.
    """

    method: str
    path: str
    status: int = 502
    headers: dict[str, str] = field(default_factory=dict)
    body: Json | None = None
    times: int = 1
    stored: bool = False
    drop: bool = False
    delay: float = 0.0
    then: Callable[[], None] | None = None

    def matches(self, exchange: Exchange) -> bool:
        if self.path.startswith("graphql:"):
            return exchange.path == "/graphql" and self.path == f"graphql:{exchange.field}"
        if self.path.startswith("git:") != exchange.path.endswith(GIT_SERVICES):
            return False
        pattern = self.path.removeprefix("git:")
        return self.method == exchange.method and re.fullmatch(pattern, exchange.path) is not None
