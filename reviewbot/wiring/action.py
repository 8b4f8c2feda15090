"""The event of a GitHub Action → a review, posted where the event's token may write."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from reviewbot.core.errors import EXIT_INCOMPLETE, UsageError
from reviewbot.core.options import DiffOptions
from reviewbot.core.ports import Gates
from reviewbot.core.types import Cancel, GatePlan, GateResult, GateStatus, Ignore, Review, ReviewPull
from reviewbot.core.types.inputs import Inputs
from reviewbot.core.verdict import exit_code
from reviewbot.hosts import handover
from reviewbot.hosts.event import ASKING, trigger
from reviewbot.hosts.git import Git
from reviewbot.hosts.handover import HandOver
from reviewbot.hosts.payload import Fields, fields_of
from reviewbot.wiring.hands import Around, Hands
from reviewbot.wiring.pull import Wanted, here, run_pull
from reviewbot.wiring.ranged import Range, run_range
from reviewbot.wiring.replay import NAME, Replay, run_replay

REPO = re.compile(r"[A-Za-z0-9_-]+/(?!\.{1,2}$)[A-Za-z0-9_.-]+")
SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
BRANCHES, TAGS = "refs/heads/", "refs/tags/"
DEPENDABOT = "dependabot[bot]"
BY_HAND = ("schedule", "workflow_dispatch", "repository_dispatch")
FORK = (
    "The pull request is from a fork, so this run has a token that only reads, and no secrets. Detectors and "
    "the gates that only parse have looked; no model was asked, and nothing of the change was executed. "
    "Nothing is posted: the report is this summary, the annotations and the artifact."
)
BOT = (
    "GitHub gives the pull requests of Dependabot a token that only reads, and no secrets. Nothing is "
    "posted: the report is this summary, the annotations and the artifact."
)
NOT_POSTED = "Nothing is posted: the input `post` is `never`."
NOT_DONE = "nothing is posted"
NOT_HERE = "nothing of a fork is executed here"
AUDIT = "`reviewbot audit` reviews a whole tree"


class Work(NamedTuple):
    """What a run of the Action is about. `cwd` is the folder of the checkout."""

    event: str
    payload: bytes
    file: str  # of the payload, for errors
    inputs: Inputs
    cwd: str


class Done(NamedTuple):
    """`review` is None where there was nothing to do; `said` tells why, or where it was posted. `notes` are
    sentences that belong above a report."""

    review: Review | None
    said: str = ""
    notes: tuple[str, ...] = ()
    hand_over: HandOver | None = None


class OnlyParsing:
    """Implements Gates: what would execute code is skipped."""

    def __init__(self, gates: Gates) -> None:
        self._gates = gates

    def run(self, plan: GatePlan) -> tuple[GateResult, ...]:
        runs = (
            run._replace(verdict=GateStatus.SKIPPED, reason=NOT_HERE) if run.executes else run
            for run in plan.runs
        )
        return self._gates.run(GatePlan(tuple(runs)))


CAREFUL = Around(gates=OnlyParsing)


def run_action(work: Work) -> Done:
    """Raises UsageError or ConfigError before any work starts: what is missing, and what mends it."""
    if work.event in ("pull_request", "pull_request_target"):
        return _pull(work)
    if work.event == "push":
        return _push(work)
    if work.event == "merge_group":
        return _merge_group(work)
    if work.event == "workflow_run":
        return _handed_over(work)
    if work.event in BY_HAND:
        return Done(None, f"nothing to review: the event `{work.event}` names no change; {AUDIT}")
    if work.event not in ASKING:
        return Done(None, f"nothing to review: the event `{work.event[:60]}` asks for nothing")
    if work.inputs.post == "never":
        return Done(None, f"nothing to do: the answer to `{work.event}` is posted, and `post` is `never`")
    outcome = run_replay(Replay(work.payload, work.file, _options(work), work.event))
    return Done(outcome.review, outcome.said)


def _pull(work: Work) -> Done:
    asked = trigger(work.event, work.payload, name=NAME, slug="", file=work.file)
    if isinstance(asked, Ignore | Cancel):
        return Done(None, f"nothing to review: {asked.why}")
    if not isinstance(asked, ReviewPull):  # its readers give no other
        return Done(None, "nothing to review")
    pull = fields_of(work.payload, work.file).object("pull_request")
    fork = _is_fork(pull)
    if work.event == "pull_request_target":
        _refuse_checkout(work.cwd, asked.head)
    bot = not fork and _is_bot(pull)
    reads = (fork or bot) and work.event == "pull_request"
    posts = work.inputs.post == "always" or (work.inputs.post == "auto" and not reads)
    notes = () if posts else (FORK,) if fork else (BOT,) if bot else (NOT_POSTED,)
    handed = HandOver(asked.repo, asked.number, asked.head) if reads and not posts else None
    hands = _hands(work, "post" if posts else "", careful=fork)
    wanted = Wanted(asked.repo, asked.number, head=asked.head, asked=False)
    outcome = run_pull(wanted, hands)
    return Done(outcome.review, outcome.said, notes if outcome.review else (), handed)


def _is_fork(pull: Fields) -> bool:
    """Also where the fork was deleted."""
    theirs, home = pull.object("head").inner("repo"), pull.object("base").object("repo")
    return theirs is None or theirs.text("full_name", REPO).lower() != home.text("full_name", REPO).lower()


def _is_bot(pull: Fields) -> bool:
    owner = pull.inner("user")
    by = owner.text("login") if owner is not None else ""
    return DEPENDABOT in (by, os.environ.get("GITHUB_ACTOR", ""))


def _refuse_checkout(cwd: str, head: str) -> None:
    """Raises UsageError where the checkout is the head, or a merge of it: this event comes with secrets and a
    token that writes, and whatever runs next in the job would run with them."""
    try:
        git = Git.open(cwd)
    except UsageError:  # no checkout, which is how it should be
        return
    row = git.attempt("rev-list", "--parents", "--no-walk", "HEAD") or b""
    if head in row.decode("ascii").split():
        raise UsageError(
            "the workflow runs on `pull_request_target` and has checked out the head of the pull request",
            "leave that checkout out (the change is fetched as data), or run on `pull_request`",
        )


def _hands(work: Work, send: str, *, careful: bool) -> Hands:
    options = _options(work)
    if careful and work.event == "pull_request":
        options = options._replace(model=False)
    hands = here(options, send)
    return hands._replace(around=CAREFUL) if careful else hands


def _options(work: Work) -> DiffOptions:
    inputs = work.inputs
    return DiffOptions(cwd=work.cwd, skills=inputs.skills, max_usd=inputs.max_cost)


def _push(work: Work) -> Done:
    fields = fields_of(work.payload, work.file)
    ref, repo = fields.text("ref"), fields.object("repository")
    if ref.startswith(TAGS):
        return Done(None, "nothing to review: a tag adds no commits to a branch")
    if not ref.startswith(BRANCHES):
        return Done(None, "nothing to review: what was pushed is no branch")
    before, after = fields.text("before", SHA), fields.text("after", SHA)
    if not after.strip("0"):
        return Done(None, "nothing to review: the branch was deleted")
    branch, default, name = (
        ref.removeprefix(BRANCHES),
        repo.text("default_branch"),
        repo.text("full_name", REPO),
    )
    if before.strip("0"):
        wanted = Range(name, before, after, f"{before[:12]}...{after[:12]}")
    elif branch == default:
        return Done(None, f"nothing to compare with: it is the first push of the default branch; {AUDIT}")
    else:
        wanted = Range(name, default, after, f"{default}...{after[:12]}", is_branch=True)
    return Done(run_range(wanted, _options(work)))


def _merge_group(work: Work) -> Done:
    fields = fields_of(work.payload, work.file)
    if fields.values.get("action") not in (None, "checks_requested"):
        return Done(None, "nothing to review: the merge group asks for no checks")
    group, name = fields.object("merge_group"), fields.object("repository").text("full_name", REPO)
    base, head = group.text("base_sha", SHA), group.text("head_sha", SHA)
    return Done(run_range(Range(name, base, head, f"{base[:12]}...{head[:12]}"), _options(work)))


def _handed_over(work: Work) -> Done:
    """The second half of a hand-over. The artifact only says where to look: what is posted is a review that
    is made here, with the configuration and the skills of the base."""
    from reviewbot.hosts.github import reading

    fields = fields_of(work.payload, work.file)
    run, repo = fields.object("workflow_run"), fields.object("repository").text("full_name", REPO)
    if run.text("event") != "pull_request":
        return Done(None, "nothing to review: the run before was of no pull request")
    theirs, head = _home(run), run.text("head_sha", SHA)
    if theirs.lower() == repo.lower() and not _by_bot(run):
        return Done(None, "nothing to do: the run before had a token that may post by itself")
    if not work.inputs.hand_over:
        raise UsageError(
            "the event `workflow_run` needs the artifact of the run before",
            "download it, and give its path as the input `hand-over`",
        )
    handed = handover.read(work.inputs.hand_over)
    _check(handed, repo, head)
    hands = _hands(work, "" if work.inputs.post == "never" else "post", careful=True)
    pull = reading.pull(hands.client, repo, handed.number)
    if pull.head_sha != head:
        if others := reading.with_head(hands.client, repo, head):
            raise UsageError(
                f"the hand-over names #{handed.number}, and the run was of #{others[0]}", NOT_DONE
            )
        return Done(None, f"{pull.url} has moved on from {head[:12]} to {pull.head_sha[:12]}")
    if pull.head_repo and theirs and pull.head_repo.lower() != theirs.lower():
        raise UsageError(f"the head of #{handed.number} is in another repository than the run had", NOT_DONE)
    outcome = run_pull(Wanted(repo, handed.number, head=head, asked=False), hands)
    return Done(outcome.review, outcome.said)


def _home(run: Fields) -> str:
    """ "": the fork was deleted."""
    theirs = run.inner("head_repository")
    return theirs.text("full_name", REPO) if theirs is not None else ""


def _by_bot(run: Fields) -> bool:
    actor = run.inner("actor")
    return actor is not None and actor.text("login") == DEPENDABOT


def _check(handed: HandOver, repo: str, head: str) -> None:
    if handed.repo.lower() != repo.lower():
        raise UsageError("the hand-over names another repository than the event", NOT_DONE)
    if handed.head != head:
        raise UsageError("the hand-over names another commit than the run before had", NOT_DONE)


def exit_of(review: Review, inputs: Inputs) -> int:
    """As everywhere; with `gate: false` by the findings alone."""
    code = exit_code(review, inputs.fail_on)
    if code == EXIT_INCOMPLETE and not inputs.gate:
        return exit_code(review._replace(incomplete=()), inputs.fail_on)
    return code
