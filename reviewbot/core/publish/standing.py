"""Which finding is which thread, and what has become of the thread's.

A thread keeps its finding through new lines, renames and rewritten history: what counts is the class and
the quoted words. "Fixed" is only said where somebody looked, and would have seen it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from reviewbot.core.publish.marker import Dismissal, Marker, read
from reviewbot.core.types import (
    FileChange,
    Finding,
    GateStatus,
    Origin,
    Rejection,
    Remark,
    Review,
    Said,
    Side,
    Status,
    Text,
    Texts,
    Thread,
    Who,
)
from reviewbot.core.verify import normal

# The stages of a review without which the absence of a finding says nothing, by who found it.
_LOOKING = {
    Origin.DETECTOR: ("diff", "skill", "scope", "detect"),
    Origin.GATE: ("diff", "skill", "scope", "gate"),
    Origin.MODEL: ("diff", "skill", "scope", "model"),
}
_FAR = 1_000_000_000  # lines to a thread that has none at head


class State(StrEnum):
    """What has become of a thread's finding."""

    STILL = "still"  # it is here, at the thread's own lines
    MOVED = "moved"  # it is here, elsewhere
    BACK = "back"  # it is here again, after the thread had ended
    FIXED = "fixed"  # it is gone
    DECLINED = "declined"  # a person does not want it
    DOUBLE = "double"  # another thread says the same, and speaks for all of it that is here
    PREEXISTING = "preexisting"  # base has it too by now
    UNKNOWN = "unknown"  # nobody can tell


class Standing(NamedTuple):
    """One thread of ours."""

    thread: Thread
    marker: Marker
    state: State
    finding: Finding | None = None
    why: str = ""  # as a clause. Of `fixed`: "the file was deleted", or "": the thread has said so before.
    # Of `back`: why it is open again, or "": the finding was gone.
    silent: bool = False  # whether there is nothing to say in the thread
    other: Thread | None = None  # of `double`: the one that says the same


class Continued(NamedTuple):
    fresh: tuple[Finding, ...]  # that want a comment: on a line, or on a file
    standing: tuple[Standing, ...]  # in the order of the threads
    tabled: tuple[Finding, ...] = ()  # new, and in the table alone


class Remembered(NamedTuple):
    """Our summary. The oldest one is edited; `marker` is its own, with what all of them remember.

    `untold`: whether somebody has dismissed a finding since it was written.
    """

    remark: Remark | None
    marker: Marker
    others: tuple[Remark, ...] = ()
    untold: bool = False


def digest(quote: str) -> str:
    """16 hexadecimal digits of the normalised quote's hash."""
    return hashlib.sha256(normal(quote).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def remembered(said: Said) -> Remembered:
    """What people have asked for is taken from the answers to them: a review that runs meanwhile edits the
    summary without knowing of it."""
    rows = [*said.remarks, *(r for t in said.threads for r in t.remarks[1:])]
    rows.sort(key=lambda r: (r.created, r.id))
    told = [(r, m) for r in rows if (m := read(r, said.me))]
    refused = tuple({d.fingerprint: d for _, m in told for d in m.dismissed}.values())
    found = [(r, m) for r, m in told if m.kind == "summary" and r in said.remarks]
    remark, own = found[0] if found else (None, Marker("summary"))
    last = next((m for _, m in reversed(told) if m.verb), own)
    whole = own._replace(
        dismissed=refused,
        fingerprints=tuple(dict.fromkeys(f for _, m in found for f in m.fingerprints)),
        paused=last.verb == "pause" if last.verb else own.paused,
        by=last.by,
    )
    untold = bool({d.fingerprint for d in refused} - {d.fingerprint for d in own.dismissed})
    return Remembered(remark, whole, tuple(r for r, _ in found[1:]), untold)


def dismissed(review: Review, dismissals: Collection[Dismissal]) -> Review:
    """The review without the findings that somebody dismissed: they are rejections, with who and why."""
    known = {d.fingerprint: d for d in dismissals}
    gone = [(f, known[f.fingerprint]) for f in review.findings if f.fingerprint in known]
    rejections = tuple(Rejection(f.candidate, "dismissed", f"{d.reason} ({d.by})") for f, d in gone)
    kept = tuple(f for f in review.findings if f.fingerprint not in known)
    return review._replace(findings=kept, rejections=(*review.rejections, *rejections))


def ours(said: Said) -> Iterator[tuple[Thread, Marker]]:
    """The threads that our findings began."""
    for thread in said.threads:
        marker = read(thread.remarks[0], said.me) if thread.remarks else None
        if marker is not None and marker.kind == "finding":
            yield thread, marker


def compare(
    review: Review, said: Said, head_texts: Texts, model_was_on: bool, all_files: bool = True
) -> Continued:
    """`review` is whole: what was dismissed is told apart here. `head_texts`: those of the files in which
    threads and findings stand. `all_files`: whether a file that is not in the change is as in base."""
    threads, memory = list(ours(said)), remembered(said).marker
    refused = {d.fingerprint for d in memory.dismissed}
    findings = review.findings
    # A thread whose finding no longer decides is not free for another one's.
    groups = (
        [f for f in findings if f.decides],
        [f for f in findings if f.preexisting],
        [f for f in findings if not f.decides and not f.preexisting],
    )
    own: dict[int, Finding] = {}
    # One that was folded speaks for what no other speaks for.
    folded = [i for i, (t, _) in enumerate(threads) if last_word(t, said.me) == State.DOUBLE]
    live = [i for i in range(len(threads)) if i not in folded]
    for group, rows in ((group, rows) for rows in (live, folded) for group in groups):
        free = [i for i in rows if i not in own]
        taken = {id(f) for f in own.values()}
        left = [f for f in group if id(f) not in taken]
        own |= {free[i]: f for i, f in _paired([threads[i] for i in free], left, review).items()}
    judge = _Judge(review, said, head_texts, model_was_on, all_files, refused)
    held = [(threads[i][0], f) for i, f in own.items()]
    standing = tuple(judge.state(*row, own.get(i), held) for i, row in enumerate(threads))
    spoken = {id(f) for f in own.values()}
    # A fingerprint that a thread carries is accounted for by the thread: lines that are alike swap theirs.
    shown = set(memory.fingerprints) - {m.fingerprints[0] for _, m in threads if m.fingerprints}
    new = [f for f in groups[0] if id(f) not in spoken and f.fingerprint not in shown | refused]
    fresh = tuple(f for f in new if f.placement != "table")
    return Continued(fresh, standing, tuple(f for f in new if f.placement == "table"))


def words_of(thread: Thread, me: Who) -> Iterator[Marker]:
    """What our replies in a thread say, oldest first; answers to commands aside."""
    markers = (read(remark, me) for remark in thread.remarks[1:])
    said = (State.FIXED, State.BACK, State.DOUBLE)
    return (m for m in markers if m and m.kind == "reply" and m.state in said)


def last_word(thread: Thread, me: Who) -> str:
    """fixed | back | double: the last that we replied; "": nothing."""
    return next((m.state for m in reversed(list(words_of(thread, me)))), "")


def answered(thread: Thread, me: Who) -> bool:
    """Whether a person wrote in it. The account whose token we use may be a person's too."""
    rest = thread.remarks[1:]
    return any(not r.author.bot if r.author != me else read(r, me) is None for r in rest)


def _paired(
    threads: Sequence[tuple[Thread, Marker]], findings: Sequence[Finding], review: Review
) -> dict[int, Finding]:
    """One to one: first those that stand at the same lines, then equal fingerprints, then the nearest."""
    files = {f.path: f for f in review.change.files}
    alive = {f.path for f in review.change.files if f.status is not Status.DELETED}
    rows = []
    for t, (thread, marker) in enumerate(threads):
        for n, finding in enumerate(findings):
            kin = _kin(thread, marker, finding, files.get(finding.candidate.site.path), alive)
            if kin is not None:
                rows.append((kin, _distance(thread, finding), t, n))
    pairs: dict[int, Finding] = {}
    taken: set[int] = set()
    for _, _, t, n in sorted(rows):
        if t not in pairs and n not in taken:
            pairs[t] = findings[n]
            taken.add(n)
    return pairs


def _kin(
    thread: Thread, marker: Marker, finding: Finding, file: FileChange | None, paths: Collection[str]
) -> int | None:
    """How sure the two are the same, 0 first; None: they are not."""
    candidate = finding.candidate
    before = file.old_path if file else None
    here = marker.path in (candidate.site.path, before)
    # A file that the change adds has no older name in it: it was renamed if the thread's file is gone.
    renamed = file is not None and file.status is Status.ADDED and marker.path not in paths
    alike = marker.slug == candidate.slug and marker.quote == digest(candidate.site.quote)
    same = finding.fingerprint in marker.fingerprints
    reads = Origin.MODEL in (candidate.origin, marker.origin) and marker.slug == candidate.slug
    at = here and _distance(thread, finding) == 0
    if at and (same or alike or reads):
        return 0
    if same:
        return 1
    if alike and here:
        return 2
    return 3 if alike and renamed else None


def _distance(thread: Thread, finding: Finding) -> int:
    """Lines between the two; 0 where they share one."""
    site = finding.candidate.site
    if thread.line is None or thread.side is not site.side:
        return _FAR
    first = thread.start_line or thread.line
    return max(0, first - site.line, site.start_line - thread.line)


class _Judge(NamedTuple):
    review: Review
    said: Said
    texts: Texts
    model: bool
    all_files: bool
    refused: Collection[str]

    def state(
        self, thread: Thread, marker: Marker, finding: Finding | None, held: Iterable[tuple[Thread, Finding]]
    ) -> Standing:
        """`held`: the threads that speak for a finding, each with its own."""
        me = self.said.me
        last = last_word(thread, me)
        by_us = thread.resolved and _by_us(thread, me, last)
        stands = Standing(thread, marker, State.UNKNOWN, finding, silent=True)
        if (thread.resolved and not by_us) or thread.thumbs_down or self._dismissed(marker, finding):
            return stands._replace(state=State.DECLINED)
        if finding is not None and finding.preexisting:
            return stands._replace(state=State.PREEXISTING)
        if finding is not None and finding.decides:
            if last == State.DOUBLE:
                return stands._replace(
                    state=State.BACK, why="no other conversation is about it", silent=False
                )
            if last == "fixed" or (by_us and last != "back"):
                return stands._replace(state=State.BACK, silent=False)
            return stands._replace(state=_where(thread, finding))
        if finding is not None:
            return stands
        if (other := self._other(marker, held)) or last == State.DOUBLE:
            said = last in (State.FIXED, State.DOUBLE) or by_us or answered(thread, me)
            return stands._replace(state=State.DOUBLE, other=other, silent=said)
        if last == "fixed" or (by_us and last != "back"):
            return stands._replace(state=State.FIXED)
        at = self._quote_at(thread, marker) if marker.origin == Origin.MODEL else None
        if at is not None:
            return stands._replace(state=State.STILL if at else State.MOVED)
        if why := self._gone(thread, marker):
            return stands._replace(state=State.FIXED, why=why, silent=answered(thread, me))
        return stands

    def _dismissed(self, marker: Marker, finding: Finding | None) -> bool:
        names = {*marker.fingerprints, *([finding.fingerprint] if finding else [])}
        return not names.isdisjoint(self.refused)

    def _other(self, marker: Marker, held: Iterable[tuple[Thread, Finding]]) -> Thread | None:
        """The thread that speaks for a finding which this one could speak for just as well."""
        files = {f.path: f for f in self.review.change.files}
        for thread, finding in held:
            candidate = finding.candidate
            file = files.get(candidate.site.path)
            here = marker.path in (candidate.site.path, file.old_path if file else None)
            alike = marker.slug == candidate.slug and marker.quote == digest(candidate.site.quote)
            if (alike and here) or finding.fingerprint in marker.fingerprints:
                return thread
        return None

    def _gone(self, thread: Thread, marker: Marker) -> str:
        """Why the finding of a thread is fixed; "": nobody can tell."""
        needed = next((stages for origin, stages in _LOOKING.items() if origin == marker.origin), None)
        if needed is None or any(i.stage in needed for i in self.review.incomplete):
            return ""
        file = _present(marker.path, self.review.change.files)
        if marker.origin == Origin.MODEL and not self._model_agrees(thread, marker, file):
            return ""
        if file is None:
            return "the file is no part of this pull request any more" if self.all_files else ""
        if file.status is Status.DELETED:
            return "the file was deleted"
        if not self._looked(marker, file):
            return ""
        if marker.origin == Origin.MODEL:
            return "the quoted lines are gone, and nothing like it was found in their place"
        return "the gate no longer names it" if marker.origin == Origin.GATE else "it is no longer found"

    def _looked(self, marker: Marker, file: FileChange) -> bool:
        """Whether who found it would have found it again."""
        review, path = self.review, file.path
        if path not in review.scope.paths or any(u.path == path for u in review.uncovered):
            return False
        if marker.origin == Origin.GATE:
            ran = (GateStatus.PASSED, GateStatus.FAILED)
            own = [g for g in review.gates if f"gate-{g.run.tool}" == marker.slug and g.status in ran]
            return any(g.run.executes or path in (t.path for t in g.run.files) for g in own)
        return any(c.slug == marker.slug and c.result != "not-checked" for c in review.checked)

    def _model_agrees(self, thread: Thread, marker: Marker, file: FileChange | None) -> bool:
        """A model that is silent has not said that the fault is gone: the lines must be gone as well."""
        if not self.model or not thread.outdated:
            return False
        if file is None or file.status is Status.DELETED:
            return True
        near = (f.candidate for f in self.review.findings if f.candidate.slug == marker.slug)
        return file.path in self.texts.files and all(c.site.path != file.path for c in near)

    def _quote_at(self, thread: Thread, marker: Marker) -> bool | None:
        """Whether the quote stands at the thread's own lines; None: nowhere in the file."""
        file = _present(marker.path, self.review.change.files)
        text = self.texts.files.get(file.path) if file else None
        starts = quoted(marker, text) if text else []
        if not starts or thread.side is Side.LEFT:
            return None
        if thread.line is None:
            return False
        first = thread.start_line or thread.line
        return any(start <= thread.line and first < start + marker.rows for start in starts)


def quoted(marker: Marker, text: Text) -> list[int]:
    """The lines of `text` at which the quote that a marker remembers starts."""
    if not marker.quote or not 0 < marker.rows <= len(text.lines):
        return []
    last = len(text.lines) - marker.rows + 1
    windows = ((n, text.quote(n, n + marker.rows - 1)) for n in range(1, last + 1))
    return [n for n, quote in windows if digest(quote) == marker.quote]


def _present(path: str, files: Iterable[FileChange]) -> FileChange | None:
    """The file that a path of an earlier review names."""
    files = list(files)
    same = (f for f in files if f.path == path)
    renamed = (f for f in files if f.old_path == path and f.status is Status.RENAMED)
    return next(same, None) or next(renamed, None)


def _by_us(thread: Thread, me: Who, last: str) -> bool:
    """Whether we resolved it. GitHub may name nobody for an App; an account whose token we use may be a
    person's, and then only what we answered tells."""
    who = thread.resolved_by
    if who is None or not me.bot:
        return (who is None or who == me) and last != ""
    return who == me


def _where(thread: Thread, finding: Finding) -> State:
    edit = finding.suggestion.edit if finding.suggestion else None
    if thread.path != finding.candidate.site.path or thread.outdated:
        return State.MOVED
    if thread.line is None:  # on the file
        return State.STILL
    first = thread.start_line or thread.line
    on_fix = edit is not None and edit.start_line <= thread.line and first <= edit.line
    return State.STILL if on_fix or _distance(thread, finding) == 0 else State.MOVED
