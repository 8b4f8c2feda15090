"""What all answers of the REST interface share: the request, refusals, pages, the register of operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

if TYPE_CHECKING:
    from tests.fakes.github.model import FakePull, FakeRepository, Json
    from tests.fakes.github.server import FakeGitHub

REPO = "/repos/{owner}/{repo}"
PULL = f"{REPO}/pulls/{{pull_number}}"
LONGEST = 65536
WAYS_TO_WRITE = {
    "checks": "checks=write",
    "issues": "issues=write; pull_requests=write",
    "pull_requests": "pull_requests=write",
}


class Answer(NamedTuple):
    """`body` is JSON, or bytes that go out as they are."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = MappingProxyType({})


class Refused(Exception):
    """The request ends here with this status and message; `more` are further keys of the body."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(message)
        body = {"message": message, "documentation_url": "https://docs.github.com/rest", **more}
        self.answer = Answer({**body, "status": str(status)}, status, headers or {})


class Request(NamedTuple):
    fake: FakeGitHub
    names: dict[str, str]  # the path's parameters
    query: dict[str, str]
    body: Json
    headers: dict[str, str]
    path: str

    @property
    def repository(self) -> FakeRepository:
        found = self.fake.repositories.get(f"{self.names['owner']}/{self.names['repo']}")
        if found is None or found.hidden:
            raise Refused(404, "Not Found")
        if found.private and self.person and found.permissions.get(self.person, "none") == "none":
            raise Refused(404, "Not Found")
        return found

    @property
    def person(self) -> str:
        """Whose token it is; "": none of a person."""
        return self.fake.people.get(self.headers.get("authorization", "").partition(" ")[2], "")

    @property
    def pull(self) -> FakePull:
        number = self.names.get("pull_number") or self.names["issue_number"]
        found = self.repository.pulls.get(int(number))
        if found is None:
            raise Refused(404, "Not Found")
        return found

    def may_write(self, *permissions: str) -> None:
        """Refuse a write to an archived repository or one for which a permission is lacking."""
        if self.repository.archived:
            raise Refused(403, "Repository was archived so is read-only.")
        for permission in permissions:
            if permission in self.fake.lacking:
                accepted = {"X-Accepted-GitHub-Permissions": WAYS_TO_WRITE[permission]}
                raise Refused(403, "Resource not accessible by integration", accepted)

    def may_talk(self) -> None:
        if self.pull.locked:
            raise Refused(403, "Unable to create comment because issue is locked.")

    def page(self, items: list[Any], default: int = 30, key: str | None = None) -> Answer:
        """One page of `items` with its Link header; `key`: the list's name in an object with a count."""
        size = max(1, min(int(self.query.get("per_page", default)), 100))
        number = max(1, int(self.query.get("page", 1)))
        last = max(1, -(-len(items) // size))
        links = {"prev": number - 1, "first": 1} if number > 1 else {}
        links |= {"next": number + 1, "last": last} if number < last else {}
        shown: Any = items[(number - 1) * size : number * size]
        body = shown if key is None else {"total_count": len(items), key: shown}
        return Answer(body, headers={"Link": ", ".join(map(self._link, links.items()))} if links else {})

    def _link(self, item: tuple[str, int]) -> str:
        query = urlencode({**self.query, "page": item[1]})
        return f'<{self.fake.url}{self.path}?{query}>; rel="{item[0]}"'


Handler = Callable[[Request], Answer]
ROUTES: dict[tuple[str, str], Handler] = {}


def answers(method: str, template: str) -> Callable[[Handler], Handler]:
    def registered(handler: Handler) -> Handler:
        ROUTES[method, template] = handler
        return handler

    return registered


def text_of(body: Json, resource: str, needed: bool = True) -> str:
    """The `body` key of a request, refused where it is blank or too long."""
    text = body.get("body") or ""
    wrong = None
    if needed and not text.strip():
        wrong = "body can't be blank"
    elif len(text) > LONGEST:
        wrong = f"body is too long (maximum is {LONGEST} characters)"
    if wrong:
        error = {"resource": resource, "code": "unprocessable", "field": "data", "message": wrong}
        raise Refused(422, "Validation Failed", errors=[error])
    return str(text)
