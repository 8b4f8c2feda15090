"""What the fake GitHub knows besides git: pull requests, what was said on them, who may do what."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tests.fakes.github.bare import Bare, Shift, rows

if TYPE_CHECKING:
    from tests.fakes.github.server import FakeGitHub

Json = dict[str, Any]
GRAPHQL_CONTENT = {
    "+1": "THUMBS_UP", "-1": "THUMBS_DOWN", "laugh": "LAUGH", "hooray": "HOORAY", "confused": "CONFUSED",
    "heart": "HEART", "rocket": "ROCKET", "eyes": "EYES",
}  # fmt: skip


class FakeRepository:
    """`path` is the bare repository; `permissions` is login to admin, write, read or none."""

    def __init__(self, fake: FakeGitHub, name: str, path: Path, *, private: bool, archived: bool) -> None:
        self.fake = fake
        self.name = name
        self.path = path
        self.private = private
        self.archived = archived
        self.parent: FakeRepository | None = None  # of a fork
        self.hidden = False  # neither the token nor the public may read it
        self.id = fake.next_id()
        self.bare = Bare(path)
        self.permissions: dict[str, str] = {}
        self.pulls: dict[int, FakePull] = {}
        self.check_runs: list[Json] = []
        self.annotations: dict[int, list[Json]] = {}
        self.activity: list[Json] = []  # newest first
        self.seen = self.bare.refs()
        if "refs/heads/main" in self.seen:
            self.bare.git("symbolic-ref", "HEAD", "refs/heads/main")
        self.default_branch = self.bare.git("symbolic-ref", "--short", "HEAD")

    @property
    def owner(self) -> str:
        return self.name.split("/")[0]

    @property
    def url(self) -> str:
        return f"{self.fake.url}/repos/{self.name}"

    @property
    def html_url(self) -> str:
        return f"{self.fake.server}/{self.name}"

    def pull(
        self,
        number: int,
        head: str,
        base: str = "main",
        *,
        author: str = "octo-dev",
        draft: bool = False,
        fork: FakeRepository | None = None,
    ) -> FakePull:
        """Opens a pull request for the branch `head` of this repository or of `fork`."""
        if fork is not None:
            fork.parent = self
        self.pulls[number] = pull = FakePull(self, number, head, base, author, draft, fork)
        pull.refresh()
        return pull

    def observe(self) -> dict[str, str]:
        """Take in what was pushed since the last look; returns the refs. During a request nothing moves."""
        with self.fake.lock:
            return self.seen if self.fake.answering else self._observed()

    def _observed(self) -> dict[str, str]:
        now = self.bare.refs()
        for ref in sorted({*now, *self.seen}):
            before, after = self.seen.get(ref), now.get(ref)
            if before != after and ref.startswith("refs/heads/"):
                self.activity.insert(0, self._push(ref, before, after))
        self.seen = now
        return now

    def _push(self, ref: str, before: str | None, after: str | None) -> Json:
        kind = "push"
        if before is None:
            kind = "branch_creation"
        elif after is None:
            kind = "branch_deletion"
        elif not self.bare.is_ancestor(before, after):
            kind = "force_push"
        return {
            "id": self.fake.next_id(),
            "node_id": "PSH_fake",
            "before": before or "0" * 40,
            "after": after or "0" * 40,
            "ref": ref,
            "timestamp": self.fake.now(),
            "activity_type": kind,
            "actor": self.fake.user("octo-dev"),
        }


@dataclass(eq=False)
class FakeThread:
    """A thread of review comments; `line` is None when `outdated` and for a comment on the whole file."""

    pull: FakePull = field(repr=False)
    id: str
    path: str
    comments: list[Json] = field(repr=False)
    base: str  # the merge base when it was written
    resolved: bool = False
    resolved_by: str | None = None
    outdated: bool = False
    line: int | None = None

    def follow(self, head: str, base: str) -> None:
        """Set the place of every comment for the new head by what git says about its lines."""
        first = self.comments[0]
        if first.get("subject_type") == "file":
            self.outdated = head != first["original_commit_id"] and self.pull.repository.bare.missing(
                head, self.path
            )
            return
        left = first["side"] == "LEFT"
        old, new = (self.base, base) if left else (first["original_commit_id"], head)
        shift = self.pull.repository.bare.shifted(old, new, self.path) if old != new else Shift([], False)
        end, start = first["original_line"], first["original_start_line"]
        same_side = start is not None and first["start_side"] == first["side"]
        lines = [shift.line(number) for number in range(start if same_side else end, end + 1)]
        self.outdated = None in lines
        self.line = None if self.outdated else lines[-1]
        first_line = lines[0] if same_side else start
        for comment in self.comments:
            comment["line"] = self.line
            comment["start_line"] = None if start is None or self.outdated else first_line
            if self.outdated:
                comment["position"] = None
            else:
                comment["commit_id"], comment["position"] = head, comment["original_position"]


@dataclass(eq=False)
class FakePull:
    repository: FakeRepository
    number: int
    head: str
    base: str
    author: str
    draft: bool
    fork: FakeRepository | None
    title: str = "A change"
    body: str = ""
    state: Literal["open", "closed"] = "open"
    merged: bool = False
    locked: bool = False
    fork_deleted: bool = False
    comments: list[Json] = field(default_factory=list)
    reviews: list[Json] = field(default_factory=list)
    review_comments: list[Json] = field(default_factory=list)
    threads: list[FakeThread] = field(default_factory=list)
    pending: dict[int, list[Json]] = field(default_factory=dict)  # review to its unpublished comments
    heads: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.id = self.repository.fake.next_id()
        self.created_at = self.repository.fake.now()
        self.base_seen = ""
        self.followed = ("", "")

    @property
    def fake(self) -> FakeGitHub:
        return self.repository.fake

    @property
    def url(self) -> str:
        return f"{self.repository.url}/pulls/{self.number}"

    @property
    def html_url(self) -> str:
        return f"{self.repository.html_url}/pull/{self.number}"

    @property
    def head_sha(self) -> str:
        self.refresh()
        return self.heads[-1]

    @property
    def base_sha(self) -> str:
        self.refresh()
        return self.base_seen

    @property
    def merge_base(self) -> str:
        return self.repository.bare.merge_base(self.base_sha, self.head_sha) or self.base_sha

    @property
    def check_runs(self) -> list[Json]:
        return [run for run in self.repository.check_runs if run["head_sha"] in self.heads]

    def annotations(self, check_run: Json) -> list[Json]:
        return self.repository.annotations[check_run["id"]]

    def refresh(self) -> None:
        """Bring refs/pull/N/head, the review commits and the threads to what git has now."""
        with self.fake.lock:
            if self.state == "open":
                self._take_head()
                self._take_base()
            self._follow()

    def _take_base(self) -> None:
        """A base branch that is gone leaves its last commit."""
        self.base_seen = self.repository.observe().get(f"refs/heads/{self.base}", self.base_seen)
        if not self.base_seen:
            raise LookupError(f"there is no branch {self.base}")

    def _follow(self) -> None:
        where = (self.heads[-1], self.base_seen)
        if where != self.followed:
            self.followed = where
            base = self.repository.bare.merge_base(where[1], where[0]) or where[1]
            for thread in self.threads:
                thread.follow(where[0], base)

    def _take_head(self) -> None:
        bare = self.repository.bare
        ref, mine = f"refs/heads/{self.head}", f"refs/pull/{self.number}/head"
        if self.fork_deleted:
            found = None
        elif self.fork is None:
            found = self.repository.observe().get(ref)
        elif (found := self.fork.observe().get(ref)) and (not self.heads or found != self.heads[-1]):
            bare.git("fetch", "-q", str(self.fork.path), f"+{ref}:{mine}")
        if found is None and not self.heads:
            raise LookupError(f"there is no branch {self.head}")
        if found is None:
            return
        if self.repository.seen.get(mine) != found:
            bare.git("update-ref", mine, found)
            self.repository.seen[mine] = found
        if self.heads and found == self.heads[-1]:
            return
        forced = bool(self.heads) and not bare.is_ancestor(self.heads[-1], found)
        self.heads.append(found)
        if forced:
            for review in self.reviews:
                review["commit_id"] = found

    def comment(self, author: str, body: str, *, type: str = "User", association: str = "NONE") -> Json:
        """An issue comment by somebody; `association` is the author's to the repository."""
        number, now = self.fake.next_id(), self.fake.now()
        made = {
            "id": number,
            "node_id": f"IC_{number}",
            "url": f"{self.repository.url}/issues/comments/{number}",
            "html_url": f"{self.html_url}#issuecomment-{number}",
            "issue_url": f"{self.repository.url}/issues/{self.number}",
            "user": self.fake.user(author, type),
            "body": body,
            "created_at": now,
            "updated_at": now,
            "author_association": association,
            "performed_via_github_app": app(self.fake) if author == self.fake.me and self.fake.app else None,
            "reactions": reactions(f"{self.repository.url}/issues/comments/{number}"),
        }
        self.comments.append(made)
        return made

    def reply(self, thread: FakeThread, author: str, body: str) -> Json:
        made = self.review_comment(author, body, thread.comments[0])
        made["in_reply_to_id"] = thread.comments[0]["id"]
        thread.comments.append(made)
        self.review_comments.append(made)
        return made

    def review_comment(self, author: str, body: str, place: Json) -> Json:
        """A review comment at the place of another or at a dictionary with the same keys."""
        number, now = self.fake.next_id(), self.fake.now()
        keys = (
            "path", "line", "side", "start_line", "start_side", "position", "original_line",
            "original_start_line", "original_position", "commit_id", "original_commit_id", "diff_hunk",
            "subject_type", "pull_request_review_id",
        )  # fmt: skip
        return {
            **{key: place[key] for key in keys if key in place},
            "id": number,
            "node_id": f"PRRC_{number}",
            "url": f"{self.repository.url}/pulls/comments/{number}",
            "html_url": f"{self.html_url}#discussion_r{number}",
            "pull_request_url": self.url,
            "user": self.fake.user(author),
            "body": body,
            "created_at": now,
            "updated_at": now,
            "author_association": "NONE",
            "reactions": reactions(f"{self.repository.url}/pulls/comments/{number}"),
        }

    def open_thread(self, comment: Json) -> FakeThread:
        number = self.fake.next_id()
        base = self.repository.bare.merge_base(self.base_sha, comment["original_commit_id"]) or self.base_sha
        thread = FakeThread(self, f"PRRT_{number}", comment["path"], [comment], base)
        self.threads.append(thread)
        self.review_comments.append(comment)
        thread.line = comment.get("line")
        thread.follow(self.head_sha, self.merge_base)
        return thread

    def thread(
        self, author: str, path: str, line: int, body: str, *, side: str = "RIGHT", type: str = "User"
    ) -> FakeThread:
        """A thread that somebody else begins at the head."""
        from tests.fakes.github.review_answers import begun

        comment = begun(self, author, {"path": path, "line": line, "side": side, "body": body})
        comment["user"] = self.fake.user(author, type)
        return self.open_thread(comment)

    def resolve(self, thread: FakeThread, by: str) -> None:
        thread.resolved, thread.resolved_by = True, by

    def react(self, target: FakeThread | Json, author: str, content: str) -> bool:
        """React to a comment, or to the first of a thread; False where it was there already."""
        comment = target.comments[0] if isinstance(target, FakeThread) else target
        given = self.fake.reactions.setdefault(comment["node_id"], [])
        if any(item["user"]["login"] == author and item["content"] == content for item in given):
            return False
        number = self.fake.next_id()
        user = self.fake.user(author)
        given.append(
            {
                "id": number,
                "node_id": f"REA_{number}",
                "user": user,
                "content": content,
                "created_at": self.fake.now(),
            }
        )
        comment["reactions"][content] += 1
        comment["reactions"]["total_count"] += 1
        return True

    def retarget(self, base: str) -> None:
        self.base = base
        self.refresh()

    def rows(self, commit: str) -> dict[str, Any]:
        """Changed path to the rows of its hunks at `commit`; no rows where GitHub shows no patch."""
        bare = self.repository.bare
        base = bare.merge_base(self.base_sha, commit) or self.base_sha
        return {item.path: rows(item.patch or "") for item in bare.files(base, commit)}


def app(fake: FakeGitHub) -> Json:
    return {
        "id": 77,
        "node_id": "A_77",
        "slug": fake.me.removesuffix("[bot]"),
        "name": "reviewbot",
        "owner": fake.user("acme"),
        "description": None,
        "external_url": fake.server,
        "html_url": f"{fake.server}/apps/reviewbot",
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
        "permissions": {"metadata": "read", "checks": "write"},
        "events": [],
    }


def reactions(url: str) -> Json:
    return {"url": f"{url}/reactions", "total_count": 0, **dict.fromkeys(GRAPHQL_CONTENT, 0)}
