"""The GraphQL interface: the official schema, run over plain dictionaries by graphql-core."""

from __future__ import annotations

import functools
import gzip
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphql import (
    FieldNode,
    GraphQLError,
    GraphQLResolveInfo,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    build_schema,
    execute_sync,
    parse,
    validate,
)

from tests.fakes.github import shapes
from tests.fakes.github.answers import Answer
from tests.fakes.github.model import GRAPHQL_CONTENT, FakePull, FakeRepository, FakeThread, Json
from tests.fakes.github.spec import DATA

if TYPE_CHECKING:
    from tests.fakes.github.server import FakeGitHub


@functools.cache
def official_schema() -> GraphQLSchema:
    return build_schema(gzip.decompress((DATA / "schema.graphql.gz").read_bytes()).decode())


class Unofficial(Exception):
    """The fake has no value for an official field."""


def value_of(source: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
    """A key of a dictionary; a function there is called with the field's arguments."""
    if info.field_name not in source:
        raise Unofficial(f"the fake has no {info.parent_type.name}.{info.field_name}")
    found = source[info.field_name]
    return found(**arguments) if callable(found) else found


def refused(kind: str, message: str) -> GraphQLError:
    error = GraphQLError(message)
    error.extensions = {"type": kind}
    return error


class Api:
    def __init__(self, fake: FakeGitHub) -> None:
        self.fake = fake

    def field(self, body: Any) -> tuple[str, bool]:
        """The first field that a request asks for ("" where it is no GraphQL); is it a mutation?"""
        try:
            document = parse((body or {}).get("query", ""))
        except GraphQLError:
            return "", False
        operation = next(item for item in document.definitions if isinstance(item, OperationDefinitionNode))
        first = operation.selection_set.selections[0]
        name = first.name.value if isinstance(first, FieldNode) else ""
        return name, operation.operation is OperationType.MUTATION

    def answer(self, body: Any) -> Answer:
        """200 in every case but a body that is no request, as on GitHub."""
        query = (body or {}).get("query", "")
        try:
            document = parse(query)
        except GraphQLError as error:
            return self._violated([error.message])
        if wrong := validate(official_schema(), document):
            return self._violated([item.message for item in wrong])
        done = execute_sync(
            official_schema(),
            document,
            root_value=self._root(),
            variable_values=body.get("variables") or {},
            field_resolver=value_of,
        )
        if not done.errors:
            return Answer({"data": done.data})
        shown = []
        for item in done.errors:
            kind = (item.extensions or {}).get("type")
            if kind is None:
                self.fake.violations.append(f"GraphQL: {item.message}")
            shown.append({"type": kind or "INTERNAL", "path": item.path, "message": item.message})
        return Answer({"data": done.data, "errors": shown})

    def _violated(self, messages: list[str]) -> Answer:
        self.fake.violations += [f"GraphQL: {message}" for message in messages]
        return Answer({"errors": [{"message": message} for message in messages]})

    def _root(self) -> Json:
        return {
            "viewer": lambda: actor(self.fake.user(self.fake.me), as_viewer=True),
            "rateLimit": lambda **_: {
                "limit": 5000,
                "remaining": 4999,
                "used": 1,
                "cost": 1,
                "nodeCount": 1,
                "resetAt": self.fake.later(hours=1),
            },
            "repository": self.repository,
            "node": lambda id: {"__typename": "PullRequestReviewThread", **thread_value(self._thread(id))},
            "resolveReviewThread": lambda input: self.settle(input["threadId"], True),
            "unresolveReviewThread": lambda input: self.settle(input["threadId"], False),
            "minimizeComment": lambda input: self.minimize(input["subjectId"], input["classifier"]),
        }

    def repository(self, owner: str, name: str, **_: Any) -> Json:
        found = self.fake.repositories.get(f"{owner}/{name}")
        if found is None:
            message = f"Could not resolve to a Repository with the name '{owner}/{name}'."
            raise refused("NOT_FOUND", message)
        return repository(found)

    def settle(self, node: str, resolved: bool) -> Json:
        """Resolve a thread or take that back; needs the right to write contents."""
        thread = self._thread(node)
        if thread.pull.repository.archived:
            raise refused("FORBIDDEN", "Repository was archived so is read-only.")
        if not self.fake.can_resolve or {"contents", "pull_requests"} & self.fake.lacking:
            raise refused("FORBIDDEN", "Resource not accessible by integration")
        thread.resolved, thread.resolved_by = resolved, self.fake.me if resolved else None
        return {"clientMutationId": None, "thread": thread_value(thread)}

    def _thread(self, node: str) -> FakeThread:
        for owner in self.fake.repositories.values():
            for pull in owner.pulls.values():
                for thread in pull.threads:
                    if thread.id == node:
                        return thread
        raise refused("NOT_FOUND", f"Could not resolve to a node with the global id of '{node}'.")

    def minimize(self, node: str, classifier: str) -> Json:
        for owner in self.fake.repositories.values():
            for pull in owner.pulls.values():
                for kind, items in (
                    ("IssueComment", pull.comments),
                    ("PullRequestReviewComment", pull.review_comments),
                    ("PullRequestReview", pull.reviews),
                ):
                    if any(item["node_id"] == node for item in items):
                        return self._minimized(kind, node, classifier)
        raise refused("NOT_FOUND", f"Could not resolve to a node with the global id of '{node}'.")

    def _minimized(self, kind: str, node: str, classifier: str) -> Json:
        if {"pull_requests", "issues"} & self.fake.lacking:
            raise refused("FORBIDDEN", "Resource not accessible by integration")
        self.fake.minimized[node] = classifier.lower().replace("_", "-")
        return {
            "clientMutationId": None,
            "minimizedComment": {"__typename": kind, "id": node, **minimized(self.fake, node)},
        }


def minimized(fake: FakeGitHub, node: str) -> Json:
    reason = fake.minimized.get(node)
    return {"isMinimized": reason is not None, "minimizedReason": reason, "viewerCanMinimize": True}


def actor(user: Json, as_viewer: bool = False) -> Json:
    """A Bot has its slug for a login, except where it asks for itself."""
    login = user["login"] if as_viewer else user["login"].removesuffix("[bot]")
    kind = "User" if as_viewer else user["type"]
    return {
        "__typename": kind,
        "login": login,
        "databaseId": user["id"],
        "id": user["node_id"],
        "url": user["html_url"],
    }


def connection(items: list[Any], value: Callable[[Any], Json]) -> Callable[..., Json]:
    """A list that is asked for in pages; a cursor is the number of the last item that was seen."""

    def page(first: int | None = None, after: str | None = None, **_: Any) -> Json:
        if first is None or not 1 <= first <= 100:
            raise refused(
                "MISSING_PAGINATION_BOUNDARIES", "You must provide a `first` value between 1 and 100."
            )
        start = int(after or 0)
        end = min(start + first, len(items))
        info = {
            "hasNextPage": end < len(items),
            "hasPreviousPage": start > 0,
            "startCursor": str(start + 1) if end > start else None,
            "endCursor": str(end) if end > start else None,
        }
        return {
            "totalCount": len(items),
            "nodes": [value(item) for item in items[start:end]],
            "pageInfo": info,
        }

    return page


def repository(repo: FakeRepository) -> Json:
    shape = shapes.repository(repo)

    def pull_request(number: int) -> Json:
        if number not in repo.pulls:
            raise refused("NOT_FOUND", f"Could not resolve to a PullRequest with the number of {number}.")
        return pull_value(repo.pulls[number])

    return {
        "id": shape["node_id"],
        "databaseId": repo.id,
        "name": shape["name"],
        "nameWithOwner": repo.name,
        "isArchived": repo.archived,
        "isPrivate": repo.private,
        "url": repo.html_url,
        "viewerPermission": "WRITE" if "contents" not in repo.fake.lacking else "READ",
        "pullRequest": pull_request,
    }


def pull_value(pull: FakePull) -> Json:
    return {
        "id": f"PR_{pull.id}",
        "databaseId": pull.id,
        "number": pull.number,
        "title": pull.title,
        "body": pull.body,
        "state": "MERGED" if pull.merged else pull.state.upper(),
        "isDraft": pull.draft,
        "locked": pull.locked,
        "merged": pull.merged,
        "author": actor(pull.fake.user(pull.author)),
        "baseRefName": pull.base,
        "baseRefOid": pull.base_sha,
        "headRefName": pull.head,
        "headRefOid": pull.head_sha,
        "url": pull.html_url,
        "reviewThreads": connection(pull.threads, thread_value),
    }


def thread_value(thread: FakeThread) -> Json:
    first, fake = thread.comments[0], thread.pull.fake
    may = fake.can_resolve and "contents" not in fake.lacking
    by = {"__typename": "User", "login": thread.resolved_by} if thread.resolved_by else None
    return {
        "id": thread.id,
        "isResolved": thread.resolved,
        "isOutdated": thread.outdated,
        "isCollapsed": thread.resolved,
        "path": thread.path,
        "line": thread.line,
        "startLine": first["start_line"],
        "originalLine": first["original_line"],
        "originalStartLine": first["original_start_line"],
        "diffSide": first["side"],
        "startDiffSide": first["start_side"],
        "subjectType": first["subject_type"].upper(),
        "viewerCanReply": not thread.pull.locked,
        "viewerCanResolve": may and not thread.resolved,
        "viewerCanUnresolve": may and thread.resolved,
        "resolvedBy": by,
        "pullRequest": lambda: pull_value(thread.pull),
        "comments": connection(thread.comments, functools.partial(comment_value, fake)),
    }


def comment_value(fake: FakeGitHub, comment: Json) -> Json:
    node = comment["node_id"]
    return {
        "id": node,
        "databaseId": comment["id"],
        "fullDatabaseId": str(comment["id"]),
        "body": comment["body"],
        "author": actor(comment["user"]),
        "authorAssociation": comment["author_association"],
        "createdAt": comment["created_at"],
        "updatedAt": comment["updated_at"],
        "url": comment["html_url"],
        "path": comment["path"],
        "line": comment["line"],
        "originalLine": comment["original_line"],
        "outdated": comment["position"] is None,
        "diffHunk": comment["diff_hunk"],
        "reactionGroups": [reaction_group(fake, comment, content) for content in GRAPHQL_CONTENT],
        **minimized(fake, node),
    }


def reaction_group(fake: FakeGitHub, comment: Json, content: str) -> Json:
    given = [item for item in fake.reactions.get(comment["node_id"], []) if item["content"] == content]
    mine = any(item["user"]["login"] == fake.me for item in given)
    return {
        "content": GRAPHQL_CONTENT[content],
        "createdAt": given[0]["created_at"] if given else None,
        "viewerHasReacted": mine,
        "reactors": lambda **_: {"totalCount": len(given)},
    }
