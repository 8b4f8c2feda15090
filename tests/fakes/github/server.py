"""The fake GitHub: what it knows, who may ask, what goes wrong, what is written down."""

from __future__ import annotations

import base64
import functools
import itertools
import subprocess
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import RLock
from typing import Any
from urllib.parse import unquote

from tests.fakes.github import (
    app_answers,
    check_answers,
    comment_answers,
    content_answers,
    hook_answers,
    pull_answers,
    review_answers,
    signing,
)
from tests.fakes.github.answers import ROUTES, Answer, Refused, Request
from tests.fakes.github.exchange import Exchange, Fault
from tests.fakes.github.graphql import Api
from tests.fakes.github.model import FakeRepository, Json
from tests.fakes.github.spec import Operation, official
from tests.repos import ENV

# Importing them puts their operations into the register.
OPERATIONS = (
    app_answers,
    check_answers,
    comment_answers,
    content_answers,
    hook_answers,
    pull_answers,
    review_answers,
)
PREFIX = "/api/v3"
CONFIG = """
[uploadpack]
    allowFilter = true
    allowAnySHA1InWant = true
[gc]
    auto = 0
[receive]
    autogc = false
    denyDeleteCurrent = ignore
"""
START = datetime(2026, 11, 30, 10, tzinfo=UTC)


class FakeGitHub:
    """`url` is for GITHUB_API_URL, `server` for GITHUB_SERVER_URL, `token` for GITHUB_TOKEN."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.server = ""
        self.token = "ghs_fake0000000000000000000000000000000000"
        self.minted: list[str] = []  # installation tokens, as good as `token`
        self.me = "reviewbot[bot]"
        self.app = True
        self.lacking: set[str] = set()
        self.can_resolve = True
        self.log: list[Exchange] = []
        self.git_log: list[Exchange] = []  # requests of git clients, without body and answer
        self.violations: list[str] = []
        self.faults: list[Fault] = []
        self.repositories: dict[str, FakeRepository] = {}
        self.reactions: dict[str, list[Json]] = {}  # node id of a comment to its reactions
        self.minimized: dict[str, str] = {}  # node id to the reason
        self.clock: Callable[[], float] = time.time
        self.deliveries: list[Json] = []  # hook_answers.delivered() notes them
        self.resend: Callable[[Json], int] = lambda row: 202
        self.manifests: dict[str, Json] = {}  # code to the App that somebody has made
        self.person = "octo-dev"  # who sits before the browser
        self.codes: dict[str, str] = {}  # of logins, to the person
        self.people: dict[str, str] = {}  # token to the person
        self.lock = RLock()
        self.spec = official_spec()
        self.graphql = Api(self)
        self.answering = False
        self._ids = itertools.count(1001)
        self._users: dict[str, int] = {}
        self._ticks = 0

    @property
    def url(self) -> str:
        return self.server + PREFIX

    @property
    def writes(self) -> list[Exchange]:
        return [exchange for exchange in self.log if not exchange.is_read]

    @property
    def reads(self) -> list[Exchange]:
        return [exchange for exchange in self.log if exchange.is_read]

    def next_id(self) -> int:
        return next(self._ids)

    def now(self) -> str:
        return (START + timedelta(seconds=self._ticks)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def later(self, **time: int) -> str:
        return (START + timedelta(seconds=self._ticks) + timedelta(**time)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def user(self, login: str, type: str | None = None) -> Json:
        """A user's REST shape, without what the description would have filled in."""
        number = self._users.setdefault(login, 501 + len(self._users))
        kind = type or ("Bot" if login.endswith("[bot]") else "User")
        return {
            "login": login,
            "id": number,
            "node_id": f"U_{number}",
            "type": kind,
            "url": f"{self.url}/users/{login}",
            "html_url": f"{self.server}/{login}",
            "site_admin": False,
        }

    def repository(
        self, source: Path, name: str = "acme/launcher", *, private: bool = False, archived: bool = False
    ) -> FakeRepository:
        """Serve a copy of the repository `source`; git's unreachable commits are kept."""
        target = self.root / f"{name}.git"
        command = ["git", "clone", "-q", "--mirror", "--no-local", str(source), str(target)]
        subprocess.run(command, env=ENV, check=True, capture_output=True)
        with (target / "config").open("a") as file:
            file.write(CONFIG)
        made = FakeRepository(self, name, target, private=private, archived=archived)
        self.repositories[name] = made
        return made

    def remove(self, repository: FakeRepository) -> None:
        """Delete a repository; pull requests from it keep their head and lose their fork."""
        del self.repositories[repository.name]
        for other in self.repositories.values():
            for pull in other.pulls.values():
                pull.fork_deleted |= pull.fork is repository

    def knows(self, authorization: str) -> bool:
        kind, _, value = authorization.partition(" ")
        if kind.lower() == "basic":
            try:
                value = base64.b64decode(value, validate=True).decode().partition(":")[2]
            except ValueError:
                return False
        return value in (self.token, *self.minted, *self.people)

    def look(self) -> None:
        """Take in what was pushed to any repository."""
        with self.lock:
            before = self.answering
            for repository in self.repositories.values():
                repository.observe()
            self.answering = True
            for repository in self.repositories.values():
                for pull in repository.pulls.values():
                    pull.refresh()
            self.answering = before

    def serve(self, exchange: Exchange) -> tuple[Answer, bool]:
        """The answer to a request, and whether the connection is cut instead of sending it."""
        fault = self.fault_of(exchange)
        if fault is None:
            return self._answer(exchange), False
        if fault.then:
            fault.then()
        broken = fault.drop or fault.status != 0
        if fault.stored or not broken:
            answer = self._answer(exchange)
        elif exchange.path != "/graphql":
            with self.lock, suppress(Refused):
                self._official(exchange)
        if fault.delay:
            time.sleep(fault.delay)
        if broken:
            body = {"message": "Server Error"} if fault.body is None else fault.body
            answer = Answer(body, fault.status, fault.headers)
        return answer, fault.drop

    def fault_of(self, exchange: Exchange) -> Fault | None:
        """The first fault that matches, with one of its times used up."""
        with self.lock:
            found = next((item for item in self.faults if item.matches(exchange)), None)
            if found:
                found.times -= 1
                self.faults = [item for item in self.faults if item.times]
            return found

    def _answer(self, exchange: Exchange) -> Answer:
        with self.lock:
            self._ticks += 1
            self.look()
            self.answering = True
            try:
                return self._carried_out(exchange)
            except Refused as refused:
                return refused.answer
            except Exception:
                self.violations.append(f"the fake failed:\n{traceback.format_exc()}")
                return Answer({"message": "Server Error"}, 500)
            finally:
                self.answering = False

    def _carried_out(self, exchange: Exchange) -> Answer:
        self._admit(exchange.path, exchange.headers.get("authorization", ""))
        if exchange.path == "/graphql":
            return self.graphql.answer(exchange.body)
        operation, what = self._official(exchange)
        handler = ROUTES.get((exchange.method, operation.template))
        if handler is None:
            self.violations.append(f"{what}: the fake does not have it")
            raise Refused(404, "Not Found")
        names = {name: unquote(value) for name, value in operation.names.items()}
        request = Request(self, names, exchange.query, exchange.body or {}, exchange.headers, exchange.path)
        try:
            answer = handler(request)
        except Refused as refused:
            answer = refused.answer
        return self._complete(operation, what, answer)

    def _admit(self, path: str, authorization: str) -> None:
        if path.startswith("/app-manifests/"):
            if authorization:
                raise Refused(401, "Bad credentials")
        elif path == "/app" or path.startswith("/app/") or path.endswith("/installation"):
            if why := signing.refusal(authorization.partition(" ")[2], self.clock()):
                raise Refused(401, why)
        elif not self.knows(authorization):
            raise Refused(401, "Bad credentials")

    def _official(self, exchange: Exchange) -> tuple[Operation, str]:
        """The operation of a request and its name; a request that is none of GitHub's is a violation."""
        operation = self.spec.find(exchange.method, exchange.path)
        if operation is None:
            self.violations.append(
                f"{exchange.method} {exchange.path}: not in the official description that we keep"
            )
            raise Refused(404, "Not Found")
        what = f"{exchange.method} {operation.template}"
        if wrong := self.spec.request_errors(operation, exchange.query, exchange.body):
            self.violations += [f"{what}: {line}" for line in wrong]
            raise Refused(422, "Invalid request.\n\n" + "\n".join(wrong))
        return operation, what

    def _complete(self, operation: Operation, what: str, answer: Answer) -> Answer:
        """The answer with all keys that the description requires, held against it."""
        schema = self.spec.answer_schema(operation, answer.status)
        if schema is not None and not isinstance(answer.body, bytes):
            filled = self.spec.filled(schema, answer.body, lambda key: f"{self.url}/unused/{key}")
            answer = answer._replace(body=filled)
            wrong = self.spec.answer_errors(operation, answer.status, filled)
            self.violations += [f"the fake's answer {answer.status} to {what}: {line}" for line in wrong]
        elif schema is None:
            wrong = self.spec.answer_errors(operation, answer.status, answer.body)
            self.violations += [f"the fake's answer {answer.status} to {what}: {line}" for line in wrong]
        return answer


@functools.cache
def official_spec() -> Any:
    return official()
