"""One review on its pull request, in order, and what is done where GitHub refuses a step of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from reviewbot.core.errors import UsageError
from reviewbot.core.ports import Sink
from reviewbot.core.publish import checkrun, marker, requests, summary
from reviewbot.core.publish.anchors import nameable
from reviewbot.core.publish.delivery import MOVED, STAGE, Posted, drafted, post_comments, post_on_files
from reviewbot.core.publish.headline import above, counted, headline
from reviewbot.core.publish.manual import called
from reviewbot.core.publish.marker import RUNNING, Marker
from reviewbot.core.publish.page import (
    found_words,
    left_open,
    rows_of,
    shown_fingerprints,
    turned_down,
    unshown,
)
from reviewbot.core.publish.standing import Continued, compare, dismissed, ours, remembered
from reviewbot.core.publish.summary import Page, Tick
from reviewbot.core.publish.table import link
from reviewbot.core.publish.threads import answer_threads, late
from reviewbot.core.types import (
    Finding,
    Incomplete,
    Pull,
    PullTerms,
    Reply,
    Request,
    Review,
    Said,
    Stamp,
    Status,
    Texts,
)

EVERY = 15.0  # seconds between two edits of the checklist
MAX_ON_FILES = 3  # comments on whole files
_MAY_NOT = (401, 403, 404)  # the token may not, ever
# What GitHub says of check runs to the tokens of people.
_PERSONAL = ("authenticate via a github app", "not accessible by personal access token")

NO_CHECK = "There is no check run: GitHub allows it to Apps only, and this token is a person's."
UNREAD = "GitHub did not say what was written here while it was reviewed: it is not heeded."
UNKNOWN_HEAD = "GitHub did not say whether the pull request has moved on while it was reviewed."


class Posting:
    """One review on its pull request, from the first tick to the verdict. Everything goes through the Sink.

    now: seconds, from whatever beginning. iso: the time as ISO 8601 in UTC. model: whether one takes part.
    force: a person wants it again although nothing has changed. again: what stands on the pull request when
    the review is done, since people have talked meanwhile; None where GitHub does not say.
    """

    def __init__(
        self,
        pull: Pull,
        said: Said,
        stamp: Stamp,
        sink: Sink,
        terms: PullTerms,
        *,
        now: Callable[[], float],
        iso: Callable[[], str],
        run_url: str = "",
        model: bool = False,
        skills: Sequence[str] = (),
        force: bool = False,
        again: Callable[[], Said | None],
    ) -> None:
        self._pull, self._said, self._stamp, self._sink, self._terms = pull, said, stamp, sink, terms
        self._now, self._iso, self._run_url = now, iso, run_url
        self._model, self._skills, self._force = model, tuple(skills), force
        self._again = again
        self._memory = remembered(said)
        earlier = self._memory.remark
        self._before = summary.unpaused(marker.without(earlier.body)) if earlier else ""
        before = self._memory.marker
        spoken = before.fingerprints or any(ours(said))
        self._first = before.verdict in ("", RUNNING) and not spoken
        self._name = called(said.me)
        self._comment: requests.Id | None = None
        self._check: requests.Id | None = None
        self._began = self._edited = now()
        self._ticks: dict[str, Tick] = {}
        self._open = self._ticking = False  # whether there is a summary to bring to an end; to edit by and by
        self._notes: list[str] = []
        self._lost: list[Incomplete] = []
        self._making: Request | None = None  # sent, and not answered yet
        self._unended: tuple[str, ...] | None = None  # None: as the last review left it

    def is_repeat(self) -> bool:
        """Whether the same was reviewed before, and whole: there is nothing to do, and nothing to write."""
        earlier = self._memory.marker
        whole = earlier.verdict in ("clean", "findings")
        same = earlier.stamp == self._stamp and not self._memory.untold
        return whole and same and not self._force

    def begin(self) -> None:
        """Begin the check run, and put the checklist in the summary's place.

        Raises UsageError where the token may not do one of them: before there is work that would be lost.
        """
        self._began = self._edited = self._now()
        self._begin_check()
        self._open = self._memory.remark is not None  # from now on it may say that a review runs
        reply = self._write_summary(self._checklist())
        if reply.refused(*_MAY_NOT):
            self._open = False
            self.abandon(f"it may not be posted: {reply.why}")
            raise UsageError(f"no review can be posted on {self._pull.repo}#{self._pull.number}: {reply.why}")
        self._open, self._ticking = True, reply.done

    def tick(self, stage: str, done: int = 0, total: int = 0) -> None:
        """Note how far a stage is, and show it from time to time. A Progress."""
        self._ticks[stage] = Tick(stage, done, total)
        now = self._now()
        if now < self._edited:  # the clock was set back
            self._edited = now
        if self._ticking and now - self._edited >= EVERY:
            self._edited = now
            self._ticking = self._write_summary(self._checklist()).done

    def end(self, review: Review, change_texts: Callable[[Collection[str]], Texts]) -> Review:
        """Post what was found; the review with what could not be posted in `incomplete`.

        change_texts: the texts at head of these paths.
        """
        head = self._sink.head()
        if not head:
            self._notes.append(UNKNOWN_HEAD)
        elif head != self._pull.head_sha:
            return self._superseded(review)
        if (said := self._again()) is not None:
            self._said, self._memory = said, remembered(said)
        else:
            self._notes.append(UNREAD)
        texts = change_texts(self._paths(review))
        whole = len(review.change.files) >= self._pull.changed_files
        found = compare(review, self._said, texts, self._model, whole)
        review = dismissed(review, self._memory.marker.dismissed)
        posted = self._post(review, found, texts)
        if posted.moved:
            return self._superseded(review)
        half_done = late(found.standing, self._memory.marker.unended, self._said.me)
        threads = answer_threads(self._pull, self._sink, found.standing, self._terms.resolve, half_done)
        self._unended = threads.unended
        self._notes += threads.notes
        self._lost += [*posted.incomplete, *threads.incomplete]
        return self._conclude(review, found, posted)

    def abandon(self, why: str, conclusion: str = "neutral") -> None:
        """Say of what was begun that it did not end; `why` is a clause, `conclusion` the check run's. Nothing
        is sent after the end."""
        self._close(why, conclusion)

    def _begin_check(self) -> None:
        body = checkrun.begun(self._pull, self._run_url, self._iso())
        reply = self._made(requests.check_begin(self._pull, body))
        if reply.done and "id" in reply.data:
            self._check = reply.data["id"]
        elif any(words in reply.why.lower() for words in _PERSONAL):
            self._notes.append(NO_CHECK)
        elif reply.refused(*_MAY_NOT):
            raise UsageError(f"no check run can be made on {self._pull.repo}: {reply.why}")
        else:
            self._lost.append(Incomplete(STAGE, "the check run", reply.why or "GitHub gave it no id"))

    def _made(self, request: Request) -> Reply:
        self._making = request
        reply = self._sink.send(request)
        self._making = None
        return reply

    def _find_made(self) -> None:
        """What was under way when it was interrupted may stand there without our knowing its id."""
        if self._making is None or not (reply := self._sink.find(self._making)).done:
            return
        if self._making.path.endswith("/check-runs"):
            self._check = reply.data["id"]
        else:
            self._comment, self._open = reply.data["id"], True

    def _checklist(self) -> str:
        ticks, seconds = tuple(self._ticks.values()), self._seconds()
        args = (self._pull, ticks, seconds, self._run_url, self._before, self._key(RUNNING))
        return summary.running(*args, skills=self._skills, model=self._model)

    def _seconds(self) -> float:
        return max(0.0, self._now() - self._began)

    def _key(self, verdict: str, fingerprints: Sequence[str] | None = None) -> str:
        """The summary's marker. What people have asked for stays in it, whatever becomes of a review."""
        known = self._memory.marker
        made = Marker(
            "summary",
            *self._stamp,
            verdict=verdict,
            fingerprints=known.fingerprints if fingerprints is None else tuple(fingerprints),
            paused=known.paused,
            by=known.by,
            dismissed=known.dismissed,
            unended=known.unended if self._unended is None else self._unended,
        )
        return marker.write(made)

    def _write_summary(self, body: str) -> Reply:
        """Edit our summary; make it where there is none, or where somebody has deleted it."""
        earlier = self._memory.remark
        number = self._comment if self._comment is not None else earlier.id if earlier else None
        if number is not None:
            reply = self._sink.send(requests.summary_edit(self._pull, number, body))
            if reply.status not in (404, 410):
                return reply
        key = body.rpartition("\n")[2]
        reply = self._made(requests.issue_comment(self._pull, body, key))
        self._comment = reply.data.get("id") if reply.done else None
        return reply

    def _paths(self, review: Review) -> set[str]:
        """The files at head that findings and threads speak of."""
        spoken = {f.candidate.site.path for f in review.findings}
        spoken |= {m.path for _, m in ours(self._said)} | {t.path for t, _ in ours(self._said)}
        return {
            f.path
            for f in review.change.files
            if f.status is not Status.DELETED and not spoken.isdisjoint((f.path, f.old_path))
        }

    def _post(self, review: Review, found: Continued, texts: Texts) -> Posted:
        files = {f.path: f for f in review.change.files}
        comments = drafted(found.fresh, files, texts.files, self._pull.head_sha, self._name)
        posted = post_comments(self._pull, self._sink, comments, self._above(review, found, len(comments)))
        if posted.moved or posted.lost:
            return posted
        # Without a check run there are no annotations, which is where these would be seen.
        drawn = {c.finding.fingerprint for c in comments}
        rest = [f for f in found.fresh if f.fingerprint not in drawn]
        wanted = [*rest, *found.tabled] if self._check is None else [f for f in rest if f.placement == "file"]
        on_files = [f for f in wanted if (path := f.candidate.site.path) in files and nameable(path)]
        return posted.plus(post_on_files(self._pull, self._sink, on_files[:MAX_ON_FILES], self._name))

    def _above(self, review: Review, found: Continued, comments: int) -> str:
        rows = rows_of(review, found, Posted(), self._first)
        said = "".join(counted([row.finding for row in rows], [row.state for row in rows]))
        left = len(found.fresh) + len(found.tabled) - comments
        return above(said, comments, left, self._check is not None)

    def _conclude(self, review: Review, found: Continued, posted: Posted) -> Review:
        """The check run, then the summary; each says what became of the other. The summary comes last: once
        it has its verdict no event of this head is reviewed again, and a check run that was left would wait
        for ever."""
        self._end_check(review, found, posted)
        if self._post_summary(review, found, posted):
            self._fold_others()
        elif self._check is not None:
            self._sent_check(self._whole(review), (), found, posted)  # GitHub has its annotations
        self._leave()
        return self._whole(review)

    def _fold_others(self) -> None:
        """Two runs at once have made more than one summary: what the others remember is in the first by now,
        and they are none any more. One that cannot be edited is tried again by the next review. A person
        whose token we use may have quoted a summary: what people wrote stays."""
        if (first := self._memory.remark) is not None and self._said.me.bot:
            for other in self._memory.others:
                body = f"The review goes on in {link('the first summary', first.url)}."
                self._sink.send(requests.summary_edit(self._pull, other.id, body))

    def _post_summary(self, review: Review, found: Continued, posted: Posted) -> bool:
        reply = self._write_summary(self._final(self._whole(review), found, posted))
        if not reply.done:
            self._lost.append(Incomplete(STAGE, "the summary comment", reply.why))
        return reply.done

    def _whole(self, review: Review) -> Review:
        return review._replace(incomplete=(*review.incomplete, *self._lost))

    def _final(self, review: Review, found: Continued, posted: Posted) -> str:
        notes = list(self._notes)
        if self._pull.below is not None:
            notes.insert(0, f"Stacked on #{self._pull.below}: merge that first.")
        rows, closed, refused = found_words(
            review, found, posted, self._memory.marker, self._pull.head_sha, self._first
        )
        page = Page(
            self._pull,
            rows,
            closed,
            (*notes, *refused, *left_open(found)),
            turned_down(review, self._said, self._memory.marker),
            self._run_url,
            self._seconds(),
            self._name,
            self._paused(),
        )
        names = shown_fingerprints(review, posted, self._memory.marker)
        return summary.final(review, page, self._key(review.verdict, names))

    def _paused(self) -> str:
        known = self._memory.marker
        return summary.paused(known.by, self._pull.head_sha, self._name) if known.paused else ""

    def _end_check(self, review: Review, found: Continued, posted: Posted) -> None:
        if self._check is None:
            return
        failed = self._sent_check(self._whole(review), unshown(review, found, posted), found, posted)
        if failed is not None:
            self._lost.append(Incomplete(STAGE, "the end of the check run", failed.why))
            # What it does not take may be an annotation.
            self._sent_check(self._whole(review), (), found, posted)

    def _sent_check(
        self, review: Review, findings: Sequence[Finding], found: Continued, posted: Posted
    ) -> Reply | None:
        """What was answered to the first request that failed."""
        text = self._final(review, found, posted)
        title = str(headline(review, [row.state for row in rows_of(review, found, posted, self._first)]))
        for body in checkrun.ended(review, findings, self._terms, self._iso(), title, text):
            reply = self._send_check(body)
            if not reply.done:
                return reply
        return None

    def _send_check(self, body: dict[str, object]) -> Reply:
        request: Request = requests.check_edit(self._pull, self._check or "", body)
        return self._sink.send(request)

    def _superseded(self, review: Review) -> Review:
        self._close(MOVED, "cancelled")
        left = Incomplete(STAGE, "the review", f"{MOVED}, nothing was posted for {self._pull.head_sha[:12]}")
        self._lost.append(left)
        return self._whole(review)

    def _close(self, why: str, conclusion: str) -> None:
        self._find_made()
        if self._check is not None:
            self._send_check(checkrun.cancelled(why, self._iso(), conclusion))
        if self._open:
            self._write_summary(summary.abandoned(self._pull, why, self._before, self._key(RUNNING)))
        self._leave()

    def _leave(self) -> None:
        self._check = None
        self._open = self._ticking = False
