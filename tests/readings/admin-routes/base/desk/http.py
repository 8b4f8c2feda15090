"""Requests and answers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class User(NamedTuple):
    name: str
    roles: frozenset[str]


class Request(NamedTuple):
    method: str
    path: str
    user: User | None = None
    form: Mapping[str, str] = MappingProxyType({})


class Answer(NamedTuple):
    status: int
    body: Any = None


class Refused(Exception):
    """Ends a request with a status."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status
