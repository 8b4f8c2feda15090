"""A pull request as it stands: what it asks for, and what has been said on it."""

from __future__ import annotations

from typing import NamedTuple

from reviewbot.core.types.change import Side


class Who(NamedTuple):
    """An account. GitHub writes an App's login as `slug[bot]` in one API and as `slug` in the other: here it
    is the slug."""

    login: str
    bot: bool = False


class Pull(NamedTuple):
    """One pull request. Names of branches are without `refs/heads/`; commits are full ids."""

    repo: str  # owner/name of the base repository
    number: int
    url: str  # of its page
    title: str
    author: Who
    base_ref: str
    base_sha: str  # the tip of the base branch, not the merge base
    head_ref: str
    head_sha: str
    head_repo: str | None  # None: the fork was deleted
    default_branch: str
    changed_files: int  # as GitHub counts them
    open: bool = True
    draft: bool = False
    archived: bool = False
    below: int | None = None  # the open pull request whose branch is the base: that one merges first


class Remark(NamedTuple):
    """One comment."""

    id: int  # as the REST API counts comments
    author: Who
    body: str
    created: str  # ISO 8601 in UTC, as GitHub writes it
    url: str = ""


class Thread(NamedTuple):
    """A conversation on a line, or on a file. `line` is at the present head; None where it is outdated, or
    on the file."""

    node: str  # id of the GraphQL API
    path: str
    line: int | None
    start_line: int | None
    side: Side
    resolved: bool
    resolved_by: Who | None
    outdated: bool
    can_resolve: bool
    remarks: tuple[Remark, ...]  # oldest first; the first one began it
    thumbs_down: int = 0  # on the first remark


class Said(NamedTuple):
    """All that stands on a pull request beside its code. `me` is whose comments are ours."""

    me: Who
    remarks: tuple[Remark, ...] = ()  # below the description, oldest first
    threads: tuple[Thread, ...] = ()
