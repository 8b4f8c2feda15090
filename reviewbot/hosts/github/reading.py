"""A pull request and what stands on it, read from the API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from reviewbot.core.errors import UsageError
from reviewbot.core.types import Pull, Remark, Said, Side, Thread, Who
from reviewbot.hosts.github.client import Client
from reviewbot.hosts.github.failures import Refused, of_form

COMMENTS = 3_000  # GitHub closes a conversation at 2,500
THREADS = 3_000
IN_THREAD = 1_000  # comments
OPEN = 1_000  # pull requests among which a head is looked for
_ANEW = "open another pull request for the rest of the change"

# `databaseId` has 32 bits where a server is old.
_SAID = """query($owner: String!, $name: String!, $number: Int!, $after: String) {
  viewer { login }
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes {
        id path line startLine diffSide isResolved isOutdated viewerCanResolve resolvedBy { login }
        comments(first: 100) {
          pageInfo { hasNextPage endCursor }
          nodes {
            databaseId fullDatabaseId body createdAt url author { login __typename }
            reactionGroups { content reactors { totalCount } }
          }
        }
      }
    }
  } }
}"""
_MORE = """query($thread: ID!, $after: String) {
  node(id: $thread) { ... on PullRequestReviewThread {
    comments(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { databaseId fullDatabaseId body createdAt url author { login __typename } }
    }
  } }
}"""
_ROWS = 100  # of one page
_CONVERSATIONS = "the conversations"


def pull(client: Client, repo: str, number: int) -> Pull:
    """repo: owner/name. Raises UsageError where there is none that the token can see."""
    try:
        row = client.get(f"/repos/{_path(repo)}/pulls/{number}")
    except Refused as error:
        if error.status == 404:
            place = f"{repo}#{number}"
            raise UsageError(
                f"there is no pull request {place}, or the token cannot see it",
                "check the name, and that the token may read pull requests",
            ) from error
        raise
    with of_form(f"the pull request {repo}#{number}"):
        found = _pull(row)
    return found._replace(below=_below(client, found)) if found.base_ref != found.default_branch else found


def _pull(row: Mapping[str, Any]) -> Pull:
    base, head = row["base"], row["head"]
    return Pull(
        repo=base["repo"]["full_name"],
        number=row["number"],
        url=row["html_url"],
        title=row["title"],
        author=who(row["user"]),
        base_ref=base["ref"],
        base_sha=base["sha"],
        head_ref=head["ref"],
        head_sha=head["sha"],
        head_repo=head["repo"]["full_name"] if head["repo"] else None,
        default_branch=base["repo"]["default_branch"],
        changed_files=row["changed_files"],
        open=row["state"] == "open",
        draft=bool(row.get("draft")),
        archived=base["repo"]["archived"],
    )


def _below(client: Client, pull: Pull) -> int | None:
    owner = pull.repo.partition("/")[0]
    rows = client.pages(
        f"/repos/{_path(pull.repo)}/pulls", 100, head=f"{owner}:{pull.base_ref}", state="open"
    )
    with of_form("the pull requests of the base branch"):
        # The filter is by owner: it finds forks of the same owner too.
        homes = ((row["number"], row["head"]["repo"]) for row in rows)
        return next((number for number, home in homes if home and home["full_name"] == pull.repo), None)


def said(client: Client, pull: Pull) -> Said:
    """All comments and threads of the pull request. Raises UsageError where they cannot be read whole."""
    me, threads = _threads(client, pull)
    rows = client.pages(f"/repos/{_path(pull.repo)}/issues/{pull.number}/comments", COMMENTS + 1)
    _check_whole(rows, COMMENTS, f"{pull.repo}#{pull.number}", "comments")
    with of_form("the comments"):
        return Said(me, tuple(map(_remark, rows)), tuple(threads))


def _check_whole(rows: Sequence[object], most: int, place: str, what: str) -> None:
    if len(rows) > most:
        raise UsageError(f"{place} has more than {most:,} {what}, and they are not read in part", _ANEW)


def viewer(client: Client) -> Who:
    """Whose comments are ours: who the token speaks for. Apps may not ask REST for it. Raises UsageError
    where GitHub does not say."""
    data = client.graphql("query { viewer { login } }", {})
    with of_form("the account"):
        return _viewer(data["viewer"]["login"])


def _threads(client: Client, pull: Pull) -> tuple[Who, list[Thread]]:
    owner, _, name = pull.repo.partition("/")
    place = {"owner": owner, "name": name, "number": pull.number}
    threads: list[Thread] = []
    after: str | None = None
    for _ in range(THREADS // _ROWS):
        data = client.graphql(_SAID, {**place, "after": after})
        with of_form(_CONVERSATIONS):
            there = data["repository"]["pullRequest"] if data["repository"] else None
            me = _viewer(data["viewer"]["login"])
        if there is None:
            raise UsageError(
                f"GitHub does not give the threads of {pull.repo}#{pull.number}", "try again later"
            )
        with of_form(_CONVERSATIONS):
            nodes, after = _page(there["reviewThreads"])
        for node in nodes:
            rows = _rows(client, node, pull)
            with of_form(_CONVERSATIONS):
                threads.append(_thread(node, rows, me))
        if after is None:
            return me, threads
    raise UsageError(f"{pull.repo}#{pull.number} has more than {THREADS:,} threads", _ANEW)


def _rows(client: Client, node: Mapping[str, Any], pull: Pull) -> list[Any]:
    """All comments of a thread."""
    with of_form(_CONVERSATIONS):
        rows, after = _page(node["comments"])
        thread = node["id"]
    for _ in range(IN_THREAD // _ROWS):
        if after is None:
            return rows
        data = client.graphql(_MORE, {"thread": thread, "after": after})
        with of_form(_CONVERSATIONS):
            more, after = _page(data["node"]["comments"])
        rows += more
    raise UsageError(f"{pull.repo}#{pull.number}: a thread has more than {IN_THREAD:,} comments", _ANEW)


def _page(connection: Mapping[str, Any]) -> tuple[list[Any], str | None]:
    """The rows, and the cursor behind them; None: there are no more."""
    info = connection["pageInfo"]
    return [*connection["nodes"]], str(info["endCursor"]) if info["hasNextPage"] else None


def _thread(node: Mapping[str, Any], comments: Sequence[Mapping[str, Any]], me: Who) -> Thread:
    by = _viewer(node["resolvedBy"]["login"]) if node["resolvedBy"] else None
    return Thread(
        node=node["id"],
        path=node["path"],
        line=node["line"],
        start_line=node["startLine"],
        side=Side(node["diffSide"]),
        resolved=node["isResolved"],
        # It is not written down whether an App's login ends in [bot] here.
        resolved_by=me if by and by.login == me.login else by,
        outdated=node["isOutdated"],
        can_resolve=node["viewerCanResolve"],
        remarks=tuple(_comment(row) for row in comments),
        thumbs_down=sum(_thumbs_down(comments[0])) if comments else 0,
    )


def _comment(row: Mapping[str, Any]) -> Remark:
    author = row["author"]
    by = Who(_slug(author["login"]), author["__typename"] == "Bot") if author else who(None)
    number = int(row["fullDatabaseId"] or row["databaseId"])
    return Remark(number, by, row["body"], row["createdAt"], row["url"])


def _thumbs_down(row: Mapping[str, Any]) -> Iterator[int]:
    for group in row["reactionGroups"] or ():
        if group["content"] == "THUMBS_DOWN":
            yield group["reactors"]["totalCount"]


def _remark(row: Mapping[str, Any]) -> Remark:
    return Remark(row["id"], who(row["user"]), row["body"] or "", row["created_at"], row["html_url"])


def who(user: Mapping[str, Any] | None) -> Who:
    """As REST names an account; None: it was deleted."""
    if user is None:
        return Who("ghost")
    return Who(_slug(user["login"]), user["type"] == "Bot")


def _viewer(login: str) -> Who:
    """As GraphQL's users are named, of which an App is one here."""
    return Who(_slug(login), login.endswith("[bot]"))


def _slug(login: str) -> str:
    return login.removesuffix("[bot]")


def merge_base(client: Client, pull: Pull) -> str:
    """The commit that GitHub shows the pull request against. Raises UsageError where there is none."""
    place = f"{pull.base_sha}...{pull.head_sha}"
    try:
        row = client.get(f"/repos/{_path(pull.repo)}/compare/{place}", per_page=1)
    except Refused as error:
        if error.status != 404:
            raise
        name = f"{pull.repo}#{pull.number}"
        now = client.get(f"/repos/{_path(pull.repo)}/pulls/{pull.number}")
        with of_form(f"the pull request {name}"):
            moved = (now["base"]["sha"], now["head"]["sha"]) != (pull.base_sha, pull.head_sha)
        if moved:
            raise UsageError(f"{name} moved on while it was read", "run it again") from error
        raise UsageError(
            f"{name}: GitHub knows no common ancestor of {place}",
            "rebase the branch on its base",
        ) from error
    with of_form("the merge base"):
        return str(row["merge_base_commit"]["sha"])


def with_head(client: Client, repo: str, sha: str) -> list[int]:
    """The numbers of the open pull requests of owner/name whose head is that commit (a full id). Raises
    UsageError where there are too many open ones to know all of them."""
    rows = client.pages(f"/repos/{_path(repo)}/pulls", OPEN + 1, state="open")
    if len(rows) > OPEN:
        raise UsageError(
            f"{repo} has more than {OPEN:,} open pull requests: whose head {sha[:12]} is, is not known",
            "ask for the review in a comment on it",
        )
    with of_form("the open pull requests"):
        return [row["number"] for row in rows if row["head"]["sha"] == sha]


def head_at(client: Client, pull: Pull, time: str) -> str:
    """The head as it was at `time` (ISO 8601 in UTC), by the pushes to its branch that GitHub has noted, the
    newest 100 of them; "" where it does not say. Raises UsageError where what it says cannot be read."""
    if pull.head_repo is None:
        return ""
    path = f"/repos/{_path(pull.head_repo)}/activity"
    try:
        rows = client.get(path, ref=f"refs/heads/{pull.head_ref}", per_page=100)
    except Refused:
        return ""
    with of_form("the pushes"):
        pushes = sorted((str(row["timestamp"]), str(row["before"]), str(row["after"])) for row in rows)
    # Before the oldest that is noted stood what it replaced.
    later = next((before for at, before, _ in pushes if at > time), None)
    if later is not None:
        return later if later.strip("0") else ""
    return pushes[-1][2] if pushes else ""


def permission(client: Client, repo: str, login: str) -> bool:
    """Whether the account may write to the repository (owner/name). It may not where GitHub does not know it
    there, or does not let us ask. Raises UsageError where GitHub gives no answer: that is no "no"."""
    try:
        row = client.get(f"/repos/{_path(repo)}/collaborators/{quote(login, safe='')}/permission")
    except Refused as error:
        if error.status in (403, 404):
            return False
        raise
    with of_form("the permission"):
        return str(row["permission"]) in ("admin", "write")


def check_output(client: Client, repo: str, check: int) -> tuple[str, str]:
    """Title and summary of a check run of owner/name. Raises UsageError where it has none."""
    row = client.get(f"/repos/{_path(repo)}/check-runs/{check}")
    with of_form("the check run"):
        title, summary = row["output"]["title"], row["output"]["summary"]
        if not (isinstance(title, str) and isinstance(summary, str)):
            raise TypeError
        return title, summary


def _path(repo: str) -> str:
    return quote(repo)
