"""What is posted: sent once, found again where the answer was lost; and the sink that only notes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reviewbot.core.types import Pull, Reply, Request
from reviewbot.hosts.github.client import Client
from reviewbot.hosts.github.failures import Answer, Refused, limited, of_form
from reviewbot.hosts.github.lost import Look, counted, patiently, search
from reviewbot.hosts.github.secrets import scrubbed, secrets

SCHEMA = "reviewbot.publication/1"
ATTEMPTS = 2
COMMENTS = 1_000  # of one review

Row = tuple[str, int | None, str, str]  # path, line, body, address of a comment


class GitHubSink:
    """A core.ports.Sink over the API."""

    def __init__(self, client: Client, pull: Pull) -> None:
        self._client = client
        self._path = f"/repos/{pull.repo}/pulls/{pull.number}"
        self._annotated: dict[str, int] = {}  # path of a check run -> its annotations

    def send(self, request: Request) -> Reply:
        reply = self._sent(request._replace(body=self._client.scrubbed(request.body)))
        self._annotated.pop(request.path, None)
        self._annotated |= counted(request, reply.data) if reply.done else {}
        return reply

    def _sent(self, request: Request) -> Reply:
        look = search(self._client, request, self._annotated)
        for _ in range(ATTEMPTS):
            answer = self._client.write(request.method, request.path, request.body)
            if not answer.uncertain and not _unread(request, answer):
                return self._reply(answer)
            try:
                made = self._found(look)
            except Refused as error:
                return Reply(0, {}, f"{self._client.why(answer)}; whether it was done is not known: {error}")
            if made is not None:
                return Reply(201 if request.method == "POST" else 200, made)
        return self._reply(answer) if look is None else Reply(0, {}, self._client.why(answer))

    def find(self, request: Request) -> Reply:
        look = search(self._client, request, self._annotated)
        try:
            made = patiently(self._client, look) if look else None
        except Refused as error:
            return Reply(0, {}, f"whether it was done is not known: {error}")
        return Reply(404, {}, "it is not there") if made is None else Reply(201, made)

    def head(self) -> str:
        try:
            row = self._client.get(self._path)
            with of_form("the head"):
                return str(row["head"]["sha"])
        except Refused:
            return ""

    def comments(self, review: int) -> Sequence[Row] | None:
        try:
            rows = self._client.pages(f"{self._path}/reviews/{review}/comments", COMMENTS)
            with of_form("the comments of the review"):
                return tuple((row["path"], row.get("line"), row["body"], row["html_url"]) for row in rows)
        except Refused:
            return None

    def _found(self, look: Look | None) -> Mapping[str, Any] | None:
        if look is not None:
            return patiently(self._client, look)
        self._client.sleep(1.0)
        return None

    def _reply(self, answer: Answer) -> Reply:
        data = answer.data if isinstance(answer.data, Mapping) else {}
        return Reply(answer.status, data, "" if answer.done else self._client.why(answer), limited(answer))


def _unread(request: Request, answer: Answer) -> bool:
    """Whether something was made, and the answer does not say what."""
    data = answer.data if isinstance(answer.data, Mapping) else {}
    return request.method == "POST" and bool(request.marker) and answer.done and "id" not in data


# What a request makes, by the names that later paths of a dry run show.
_MADE = (
    (re.compile(r".*/check-runs"), "check_run"),
    (re.compile(r".*/issues/\d+/comments"), "comment"),
    (re.compile(r".*/pulls/\d+/reviews"), "review"),
    (re.compile(r".*/pulls/\d+/comments"), "review_comment"),
)


class DryRun:
    """A core.ports.Sink that sends nothing. What it would have made has a placeholder for an id."""

    def __init__(self, pull: Pull) -> None:
        self._pull = pull
        self._secrets = secrets()
        self.requests: list[Request] = []

    def send(self, request: Request) -> Reply:
        request = request._replace(body=scrubbed(request.body, self._secrets))
        self.requests.append(request)
        kind = next((name for form, name in _MADE if form.fullmatch(request.path)), "")
        if request.method != "POST" or not kind:
            return Reply(200, {})
        made = {"id": f"{{{kind}_id}}", "node_id": f"{{{kind}_node_id}}", "html_url": self._pull.url}
        return Reply(201, made)

    def find(self, request: Request) -> Reply:
        return Reply(404, {}, "nothing was sent")

    def head(self) -> str:
        return self._pull.head_sha

    def comments(self, review: int) -> Sequence[Row] | None:
        """Of the last review, whatever `review`; its comments have the address of the pull request. () where
        none was sent."""
        for request in reversed(self.requests):
            if request.path.endswith("/reviews"):
                rows = request.body.get("comments", ())
                return tuple((row["path"], row.get("line"), row["body"], self._pull.url) for row in rows)
        return ()

    def document(self) -> dict[str, object]:
        """What would be sent: {"schema": SCHEMA, "requests": [{"method", "path", "body"}]}."""
        rows = [{"method": r.method, "path": r.path, "body": r.body} for r in self.requests]
        return {"schema": SCHEMA, "requests": rows}


def joined(documents: Iterable[Mapping[str, object]]) -> dict[str, object]:
    """The rehearsals of several jobs as one, each as `document` makes them."""
    rows: list[object] = []
    for document in documents:
        found = document["requests"]
        rows += found if isinstance(found, list) else []
    return {"schema": SCHEMA, "requests": rows}
