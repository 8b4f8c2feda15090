"""A pull request on GitHub → a review of it, and what is said there."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from datetime import UTC, datetime
from functools import partial
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from reviewbot.core.errors import UsageError
from reviewbot.core.options import DiffOptions
from reviewbot.core.ports import Progress, Sink
from reviewbot.core.publish.posting import Posting
from reviewbot.core.publish.standing import dismissed, remembered
from reviewbot.core.types import Pull, Review, Said, Side, Skills, Stamp
from reviewbot.gates import state
from reviewbot.hosts import searchpath
from reviewbot.hosts.github import reading
from reviewbot.hosts.github.client import Access, Client, access
from reviewbot.hosts.github.sink import DryRun, GitHubSink
from reviewbot.hosts.github.turn import turn
from reviewbot.jobs.engine import Cancelled
from reviewbot.pipeline import review
from reviewbot.wiring.hands import Around, Hands
from reviewbot.wiring.prepare import Prepared, prepare

if TYPE_CHECKING:
    from reviewbot.wiring.model import AnySource


class Wanted(NamedTuple):
    """What a front door asks of a pull request."""

    repo: str  # owner/name
    number: int
    full: bool = False  # also where nothing has changed since the last review
    asked: bool = True  # a person asked: drafts and paused pull requests too
    head: str = ""  # the head that is meant; another one is not reviewed
    report: bool = True  # the review itself is wanted, also where there is nothing to post
    always: bool = False  # the report also where nobody asked: an Action ends by it however often it runs


class Outcome(NamedTuple):
    """`review` is None where there was nothing to do; `said` tells why, or where it was posted."""

    review: Review | None
    said: str
    requests: dict[str, object] | None = None  # of a rehearsal: the document that --dry-run prints
    repeat: bool = False  # nothing had changed since the last review, and nothing was posted


class Desk(NamedTuple):
    """A pull request that can be reviewed."""

    pull: Pull
    said: Said
    stamp: Stamp
    prepared: Prepared
    watched: Watched

    def reviewed(self) -> Review:
        """What was dismissed still among its findings."""
        return review(self.prepared.skills, self.prepared.tools)


def here(options: DiffOptions, send: str) -> Hands:
    """With the token and the addresses of the environment. Raises UsageError."""
    return Hands(Client(access()), options, send, _actions_url())


def run_pull(wanted: Wanted, hands: Hands, outlet: Outlet | None = None) -> Outcome:
    """`outlet`: through which all of it goes; None: one of its own.

    Raises UsageError or ConfigError before any work starts: a wrong token, a missing permission.
    """
    with _turn(wanted, hands):
        return _run(wanted, hands, outlet)


def _turn(wanted: Wanted, hands: Hands) -> AbstractContextManager[None]:
    if hands.send != "post":
        return nullcontext()
    server, label = hands.client.access.server, f"{wanted.repo}#{wanted.number}"
    return turn(state.folder("turns"), server, label, hands.review.progress)


def _run(wanted: Wanted, hands: Hands, outlet: Outlet | None) -> Outcome:
    pull = reading.pull(hands.client, wanted.repo, wanted.number)
    outlet = outlet or outlet_for(hands, pull)
    if why := _unfit(pull, wanted, hands.send):
        return Outcome(None, why, outlet.document())
    with desk(hands, pull) as at:
        if why := _unwanted(at, wanted):
            return Outcome(None, why, outlet.document())
        posting = _posting(at, outlet.sink, hands, wanted.full)
        repeat = posting.is_repeat()
        if repeat and not ((wanted.asked or wanted.always) and wanted.report):
            said = f"{pull.url} was reviewed at {pull.head_sha[:12]} already"
            return Outcome(None, said, outlet.document(), repeat)
        if not hands.send or repeat:
            found = dismissed(at.reviewed(), remembered(at.said).marker.dismissed)
            said = "nothing has changed since the last review, nothing is posted" * repeat
            return Outcome(found, said, outlet.document(), repeat)
        return Outcome(_posted(posting, at, hands.around), pull.url, outlet.document())


@contextmanager
def desk(hands: Hands, pull: Pull) -> Iterator[Desk]:
    """Everything that is read before the work starts. Raises UsageError or ConfigError."""
    client, options = hands.client, hands.review
    searchpath.keep_out(options.cwd)
    said = reading.said(client, pull)
    base = reading.merge_base(client, pull)
    with ExitStack() as closing:
        source = closing.enter_context(_opened(client, pull, base, options.progress))
        watched = Watched(options.progress)
        prepared = prepare(options._replace(progress=watched), source, closing, hands.around)
        stamp = _stamp(pull, base, prepared, options)
        hands.around.seen(pull, said, stamp, prepared.settings)
        yield Desk(pull, said, stamp, prepared, watched)


def _posted(posting: Posting, at: Desk, around: Around) -> Review:
    try:
        posting.begin()
        at.watched.also = around.beside(posting.tick)
        found = at.reviewed()
        return posting.end(found, partial(at.prepared.tools.source.read, found.change, Side.RIGHT))
    except BaseException as error:
        around.ended(error, partial(posting.abandon, *_in_words(error)))
        raise


class Watched:
    """A Progress for two: the terminal, and from the beginning of the review on the summary comment."""

    def __init__(self, terminal: Progress) -> None:
        self._terminal = terminal
        self.also: Callable[[str, int, int], None] | None = None

    def __call__(self, stage: str, done: int = 0, total: int = 0) -> None:
        self._terminal(stage, done, total)
        if self.also:
            self.also(stage, done, total)


@contextmanager
def _opened(client: Client, pull: Pull, base: str, progress: Progress) -> Iterator[AnySource]:
    """The pull request's change by git; where git does not get through, by the files API."""
    from reviewbot.hosts.github import clone

    door: Access = client.access
    url, label = f"{door.server}/{pull.repo}.git", f"{pull.repo}#{pull.number}"
    with ExitStack() as closing:
        folder = state.folder("clones") or closing.enter_context(TemporaryDirectory(prefix="reviewbot-"))
        try:
            commits = (base, pull.head_sha)
            opening = clone.opened(url, door.token, commits, pull.number, folder, progress)
            git = closing.enter_context(opening)
        except clone.NotReached as error:
            from reviewbot.hosts.github.apisource import ApiSource

            yield ApiSource.open(client, pull, base, str(error))
            return
        yield clone.source(git, base, pull.head_sha, label)


def _unfit(pull: Pull, wanted: Wanted, send: str) -> str:
    """Why this pull request is not reviewed. Raises UsageError where somebody asked for the impossible."""
    if send and pull.archived:
        raise UsageError(f"{pull.repo} is archived: nothing can be posted", "leave out --post")
    if not pull.open and not wanted.asked:
        return f"{pull.url} is closed"
    if wanted.head and wanted.head != pull.head_sha:
        return f"{pull.url} has moved on from {wanted.head[:12]} to {pull.head_sha[:12]}"
    return ""


def _unwanted(at: Desk, wanted: Wanted) -> str:
    if wanted.asked:
        return ""
    if at.pull.draft and not at.prepared.settings.pull.drafts:
        return f"{at.pull.url} is a draft; with `[pull] drafts = true` it would be reviewed"
    if remembered(at.said).marker.paused:
        return f"reviews of {at.pull.url} are paused"
    return ""


class Outlet(NamedTuple):
    """Where a job's requests go."""

    sink: Sink
    rehearsal: DryRun | None = None

    def document(self) -> dict[str, object] | None:
        return self.rehearsal.document() if self.rehearsal else None


def outlet_for(hands: Hands, pull: Pull) -> Outlet:
    """One that sends where `hands` say "post"; else one that notes what would be sent."""
    if hands.send == "post":
        return Outlet(hands.around.sink(GitHubSink(hands.client, pull)))
    rehearsal = DryRun(pull)
    return Outlet(rehearsal, rehearsal)


def _posting(at: Desk, sink: Sink, hands: Hands, force: bool) -> Posting:
    return Posting(
        at.pull,
        at.said,
        at.stamp,
        sink,
        at.prepared.settings.pull,
        now=time.monotonic,
        iso=lambda: datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        run_url=hands.run_url,
        model=at.prepared.model,
        skills=[skill.name for skill in at.prepared.skills.active],
        force=force,
        again=partial(_said_by_now, hands.client, at.pull),
    )


def _said_by_now(client: Client, pull: Pull) -> Said | None:
    try:
        return reading.said(client, pull)
    except UsageError:
        return None


def _actions_url() -> str:
    """The page of the job that runs this, on GitHub Actions."""
    server, repo, run = (
        os.environ.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "RUN_ID")
    )
    return f"{server}/{repo}/actions/runs/{run}" if server and repo and run.isdecimal() else ""


def _stamp(pull: Pull, base: str, prepared: Prepared, options: DiffOptions) -> Stamp:
    # One that is retargeted, or whose lower one is merged, can keep its merge base, and has another summary.
    stands = (pull.base_ref, pull.below)
    terms = (options.skills, options.thorough, options.max_usd, prepared.model, stands)
    return Stamp(pull.head_sha, base, _skills_hash(prepared.skills), _hash((prepared.settings, terms)))


def _skills_hash(skills: Skills) -> str:
    return _hash([(s.name, s.origin, s.hash, s.rules, s.pins) for s in skills.active])


def _hash(value: object) -> str:
    return hashlib.sha256(repr(value).encode("utf-8", "surrogateescape")).hexdigest()[:12]


def _in_words(error: BaseException) -> tuple[str, str]:
    """Why there is no review, and what its check run concludes."""
    if isinstance(error, Cancelled):
        return "it was cancelled", "cancelled"
    if isinstance(error, KeyboardInterrupt):
        return "it was interrupted", "neutral"
    return f"it ended with an error: {type(error).__name__}", "neutral"
