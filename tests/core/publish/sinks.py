"""A pull request in memory: what is posted stands on it, and pushes move its threads."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher, unified_diff
from itertools import count
from typing import Any

from reviewbot.core import verify
from reviewbot.core.hunks import parse_hunks
from reviewbot.core.publish.posting import Posting
from reviewbot.core.types import (
    Assignment,
    Candidate,
    Change,
    ClassResult,
    FileChange,
    Grade,
    Incomplete,
    Origin,
    Pull,
    PullTerms,
    Remark,
    Reply,
    Request,
    Review,
    Said,
    Scope,
    Severity,
    Side,
    Site,
    Skills,
    Stamp,
    Status,
    Text,
    Texts,
    Thread,
    Who,
)
from tests.builders import skill

ME = Who("reviewbot", bot=True)
HUMAN = Who("octo-dev")
HEADS = [f"{n:x}" * 40 for n in range(1, 16)]
SLUG = "a-class"

Rule = Callable[[Request], Reply | None]

PULL = Pull(
    repo="acme/launcher",
    number=7,
    url="https://github.test/acme/launcher/pull/7",
    title="Launch it",
    author=HUMAN,
    base_ref="main",
    base_sha="a" * 40,
    head_ref="feature",
    head_sha=HEADS[0],
    head_repo="acme/launcher",
    default_branch="main",
    changed_files=1,
)


def texts_of(files: Mapping[str, str]) -> Texts:
    return Texts(Side.RIGHT, {path: Text(path, content) for path, content in files.items()})


def file_change(path: str, old: str | None, new: str | None, old_path: str | None = None) -> FileChange:
    """With hunks as git would cut them."""
    rows = list(unified_diff((old or "").splitlines(), (new or "").splitlines(), lineterm="", n=3))[2:]
    hunks, _ = parse_hunks(("\n" + "\n".join(rows) + "\n").encode()) if rows else ((), (True, True))
    status = Status.ADDED if old is None else Status.DELETED if new is None else Status.MODIFIED
    status = Status.RENAMED if old_path else status
    return FileChange(path, status, old_path=old_path or (path if old is not None else None), hunks=hunks)


def candidates(files: Mapping[str, str], origin: Origin = Origin.DETECTOR) -> list[Candidate]:
    """One for each line with `bad` in it; `bad?` is a hint."""
    made = []
    for path, content in files.items():
        for number, line in enumerate(content.splitlines(), 1):
            if "bad" in line:
                whole = Candidate(
                    skill="launcher-adversarial-review",
                    slug=SLUG,
                    rank=1,
                    title=f"A bad line: {line.strip()}",
                    severity=Severity.WARNING,
                    origin=origin,
                    grade=Grade.HINT if "bad?" in line else Grade.STRONG,
                    site=Site(path, number, number, line),
                    failure="It fails.",
                    cost="An hour.",
                    fix="Mend it.",
                    detector="a-detector" if origin is Origin.DETECTOR else None,
                )
                made.append(whole)
    return made


def reviewed(
    base: Mapping[str, str],
    head: Mapping[str, str],
    renames: Mapping[str, str] = {},  # new -> old
    origin: Origin = Origin.DETECTOR,
    incomplete: Sequence[tuple[str, str, str]] = (),
    blind: Sequence[str] = (),  # words of lines that the reviewer does not see this time
    sha: str = HEADS[0],
) -> Review:
    """What a reviewer of bad lines says, by way of the real verify."""
    was = {new: base.get(renames.get(new, new)) for new in head}
    gone = set(base) - set(head) - set(renames.values())
    changes = [
        *(file_change(p, was[p], head[p], renames.get(p)) for p in head if was[p] != head[p] or p in renames),
        *(file_change(p, base[p], None) for p in sorted(gone)),
    ]
    alive = {f.path: head[f.path] for f in changes if f.status is not Status.DELETED}
    seen = [c for c in candidates(alive, origin) if not any(word in c.site.quote for word in blind)]
    had = candidates({p: text for p in alive if (text := was[p]) is not None}, origin)
    change = Change("a" * 40, sha, tuple(changes), "main...feature")
    checked, rejections = verify.check(seen, texts_of(alive))
    checked = verify.compare(checked, had, change)
    own = skill()
    return Review(
        change=change,
        skills=Skills(active=(own,)),
        scope=Scope((Assignment(own, tuple(alive)),), tuple(alive), ()),
        incomplete=tuple(Incomplete(*row) for row in incomplete),
        gates=(),
        findings=verify.conclude(checked, change, {}, model_inline=5),
        rejections=tuple(rejections),
        checked=(ClassResult(own.name, SLUG, "A class", len(alive), "found", ("detector",)),),
        uncovered=(),
        reader="a-model" if origin is Origin.MODEL else "",
    )


def commentable(file: FileChange) -> Mapping[Side, frozenset[int]]:
    """The lines of each side that are rows of a hunk."""
    rows = [line for hunk in file.hunks for line in hunk.lines()]
    old, new = (frozenset(n for n in side if n) for side in ([r.old for r in rows], [r.new for r in rows]))
    return {Side.LEFT: old, Side.RIGHT: new}


class ScriptedSink:
    """Carries out what it is sent, unless a rule answers first."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.rules: list[
            tuple[str, Rule, list[int]]
        ] = []  # "METHOD path" as a regular expression; times left
        self.moved_to = ""  # another head than the one that is reviewed
        self.says_head = True
        self.hides = ""  # comments with these words vanish
        self.shifts = 0  # by which comments stand at other lines than asked for
        self.reads = True
        self.head_sha = HEADS[0]
        self.remarks: list[Remark] = []
        self.threads: list[Thread] = []
        self.checks: dict[int, dict[str, Any]] = {}
        self.reviews: dict[int, list[tuple[str, int | None, str, str]]] = {}
        self._ids = count(1)

    def rule(
        self, place: str, status: int = 422, why: str = "no", times: int = 1_000, later: bool = False
    ) -> None:
        self.rules.append((place, lambda request: Reply(status, {}, why, later), [times]))

    @property
    def lines(self) -> list[str]:
        return [f"{r.method} {r.path}" for r in self.requests]

    def send(self, request: Request) -> Reply:
        self.requests.append(request)
        for place, answer, left in self.rules:
            named = f"{request.method} {request.path} {request.body.get('query', '')}"
            if left[0] and re.search(place, named) and (reply := answer(request)):
                left[0] -= 1
                return reply
        return self._done(request)

    def find(self, request: Request) -> Reply:
        return Reply(404, {}, "it is not there")

    def head(self) -> str:
        return (self.moved_to or self.head_sha) if self.says_head else ""

    def comments(self, review: int) -> Sequence[tuple[str, int | None, str, str]] | None:
        return self.reviews[review] if self.reads else None

    def said(self) -> Said:
        return Said(ME, tuple(self.remarks), tuple(self.threads))

    def _done(self, request: Request) -> Reply:
        body, number = request.body, next(self._ids)
        kind = request.path.rpartition("/")[2]
        url = f"https://github.test/{number}"
        if request.path == "/graphql":
            self._turn(body)
        elif request.path.endswith("check-runs"):
            self.checks[number] = {**body, "annotations": []}
        elif "/check-runs/" in request.path:
            run = self.checks[int(kind)]
            run["annotations"] += body.get("output", {}).get("annotations", [])
            run.update(body)
        elif request.method == "PATCH":
            (at,) = (n for n, r in enumerate(self.remarks) if r.id == int(kind))
            self.remarks[at] = self.remarks[at]._replace(body=body["body"])
        elif "/issues/" in request.path:
            self.remarks.append(Remark(number, ME, body["body"], f"{number:020}", url))
        elif kind == "reviews":
            self.reviews[number] = []
            for comment in body["comments"]:
                self._comment(comment, number)
        elif "in_reply_to" in body:
            self._reply(body["in_reply_to"], Remark(number, ME, body["body"], f"{number:020}"))
        else:
            self._comment(body, None)
        return Reply(201, {"id": number, "html_url": url})

    def _comment(self, body: Mapping[str, Any], review: int | None) -> None:
        if self.hides and self.hides in body["body"]:
            return
        number, line = next(self._ids), body.get("line")
        line = line + self.shifts if line else None
        remark = Remark(number, ME, body["body"], f"{number:020}", f"https://github.test/{number}")
        side = Side(body.get("side", "RIGHT"))
        thread = Thread(
            f"T{number}",
            body["path"],
            line,
            body.get("start_line"),
            side,
            False,
            None,
            False,
            True,
            (remark,),
        )
        self.threads.append(thread)
        if review is not None:
            self.reviews[review].append((body["path"], line, body["body"], remark.url))

    def _reply(self, to: int, remark: Remark) -> None:
        (at,) = (n for n, t in enumerate(self.threads) if t.remarks[0].id == to)
        self.threads[at] = self.threads[at]._replace(remarks=(*self.threads[at].remarks, remark))

    def _turn(self, body: Mapping[str, Any]) -> None:
        resolved = "unresolve" not in body["query"]
        self.change(
            body["variables"]["input"]["threadId"], resolved=resolved, resolved_by=ME if resolved else None
        )

    def change(self, node: str, **fields: Any) -> None:
        (at,) = (n for n, t in enumerate(self.threads) if t.node == node)
        self.threads[at] = self.threads[at]._replace(**fields)


class World:
    """A pull request, its two sides, and the reviews of it."""

    def __init__(self, base: Mapping[str, str], head: Mapping[str, str], **renames: str) -> None:
        self.base, self.files, self.renames = dict(base), dict(head), dict(renames)
        self.sink = ScriptedSink()
        self.pushes = 0
        self.time = 0.0
        self.model = False
        self.terms = PullTerms()
        self.pull = PULL
        self.stamp = Stamp("", "a" * 40, "skills", "config")

    def push(self, head: Mapping[str, str], renames: Mapping[str, str] | None = None) -> None:
        """`renames`: new -> old, against base. A comment follows its line as long as that stands."""
        for thread in list(self.sink.threads):
            old, new = self.files.get(thread.path), head.get(thread.path)
            line = _followed(thread.line, old or "", new or "")
            gone = line is None and thread.line is not None
            change: dict[str, Any] = {"line": line, "start_line": None, "outdated": thread.outdated or gone}
            self.sink.change(thread.node, **change)
        self.pushes += 1
        self.files, self.sink.head_sha = dict(head), HEADS[self.pushes]
        self.renames = dict(renames or {})

    def review(self, **changes: Any) -> Review:
        return reviewed(self.base, self.files, self.renames, sha=self.sink.head_sha, **changes)

    def posting(self, **changes: Any) -> Posting:
        stamp = self.stamp._replace(head=self.sink.head_sha)
        made: dict[str, Any] = {
            "now": lambda: self.time,
            "iso": lambda: "2026-11-30T10:00:00Z",
            "model": self.model,
            "again": self.sink.said,
        }
        files = len(self.review().change.files)
        pull = self.pull._replace(head_sha=self.sink.head_sha, changed_files=files)
        return Posting(pull, self.sink.said(), stamp, self.sink, self.terms, **made | changes)

    def run(self, review: Review | None = None, **changes: Any) -> Review:
        """One review from begin to end; `self.sent` is what it wrote."""
        before = len(self.sink.requests)
        posting = self.posting(**changes)
        posting.begin()
        done = posting.end(review or self.review(), lambda paths: texts_of({p: self.files[p] for p in paths}))
        self.sent = self.sink.requests[before:]
        return done

    @property
    def summary(self) -> str:
        return self.sink.remarks[-1].body

    @property
    def check(self) -> dict[str, Any]:
        return list(self.sink.checks.values())[-1]

    def outside_hunks(self) -> list[Thread]:
        """The threads at head that GitHub would not have let stand there."""
        files = {f.path: f for f in self.review().change.files}
        return [
            t
            for t in self.sink.threads
            if t.line is not None and t.line not in commentable(files[t.path])[t.side]
        ]


def _followed(line: int | None, old: str, new: str) -> int | None:
    if line is None:
        return None
    matcher = SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
    for start, to, size in matcher.get_matching_blocks():
        if start < line <= start + size:
            return line - start + to
    return None
