"""Each write, as a Request. What creates something names the marker by which it is found again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reviewbot.core.publish.anchors import Anchor
from reviewbot.core.types import Pull, Request, Thread

Id = int | str  # a dry run has names in place of numbers

RESOLVE = (
    "mutation($input: ResolveReviewThreadInput!)"
    " { resolveReviewThread(input: $input) { thread { id isResolved } } }"
)
UNRESOLVE = (
    "mutation($input: UnresolveReviewThreadInput!)"
    " { unresolveReviewThread(input: $input) { thread { id isResolved } } }"
)


def check_begin(pull: Pull, body: Mapping[str, Any]) -> Request:
    return Request("POST", f"/repos/{pull.repo}/check-runs", body, str(body["external_id"]))


def check_edit(pull: Pull, check: Id, body: Mapping[str, Any]) -> Request:
    return Request("PATCH", f"/repos/{pull.repo}/check-runs/{check}", body)


def issue_comment(pull: Pull, body: str, marker: str) -> Request:
    return Request("POST", f"/repos/{pull.repo}/issues/{pull.number}/comments", {"body": body}, marker)


def summary_edit(pull: Pull, comment: Id, body: str) -> Request:
    return Request("PATCH", f"/repos/{pull.repo}/issues/comments/{comment}", {"body": body})


def review(pull: Pull, body: str, comments: Sequence[Mapping[str, Any]], marker: str) -> Request:
    """Without an event GitHub keeps a review as a draft that nobody else sees, and without a commit it takes
    the lines to be those of whatever is head by then."""
    fields = {"commit_id": pull.head_sha, "event": "COMMENT", "body": body, "comments": list(comments)}
    return Request("POST", f"/repos/{pull.repo}/pulls/{pull.number}/reviews", fields, marker)


def comment(anchor: Anchor, body: str) -> dict[str, Any]:
    """One comment of a review, or what a single comment has beside its commit."""
    fields: dict[str, Any] = {
        "path": anchor.path,
        "body": body,
        "line": anchor.line,
        "side": anchor.side.value,
    }
    if anchor.start_line is not None:
        fields |= {"start_line": anchor.start_line, "start_side": anchor.side.value}
    return fields


def single_comment(pull: Pull, fields: Mapping[str, Any], marker: str) -> Request:
    """`fields` as `comment` makes them."""
    return Request("POST", _comments(pull), {**fields, "commit_id": pull.head_sha}, marker)


def file_comment(pull: Pull, path: str, body: str, marker: str) -> Request:
    fields = {"path": path, "body": body, "commit_id": pull.head_sha, "subject_type": "file"}
    return Request("POST", _comments(pull), fields, marker)


def answer(pull: Pull, thread: Thread, body: str, marker: str) -> Request:
    """GitHub asks for commit and path of an answer too, and does not look at them."""
    fields = {"body": body, "commit_id": pull.head_sha, "path": thread.path}
    return Request("POST", _comments(pull), {**fields, "in_reply_to": thread.remarks[0].id}, marker)


def resolve(thread: Thread) -> Request:
    return _of_thread(RESOLVE, thread)


def unresolve(thread: Thread) -> Request:
    return _of_thread(UNRESOLVE, thread)


def react(pull: Pull, comment: Id, content: str, in_thread: bool = False) -> Request:
    """`content`: "eyes", "confused". GitHub keeps one of a kind from each account."""
    room = "pulls" if in_thread else "issues"
    path = f"/repos/{pull.repo}/{room}/comments/{comment}/reactions"
    return Request("POST", path, {"content": content})


def _comments(pull: Pull) -> str:
    return f"/repos/{pull.repo}/pulls/{pull.number}/comments"


def _of_thread(mutation: str, thread: Thread) -> Request:
    return Request("POST", "/graphql", {"query": mutation, "variables": {"input": {"threadId": thread.node}}})
