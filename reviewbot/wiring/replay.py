"""An event of GitHub's webhooks → what it asks for, done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from reviewbot.core.errors import UsageError
from reviewbot.core.options import DiffOptions
from reviewbot.core.publish import checkrun, commands, requests
from reviewbot.core.publish.cap import inert
from reviewbot.core.publish.commands import EYES, Obeyed
from reviewbot.core.publish.narrow import answer
from reviewbot.core.publish.standing import dismissed, remembered
from reviewbot.core.publish.telling import Effective
from reviewbot.core.types import (
    Asked,
    Cancel,
    Command,
    Ignore,
    Obey,
    Pull,
    Reply,
    Rerun,
    ReviewPull,
    ShowRefuted,
    Trigger,
    Who,
)
from reviewbot.gates import state
from reviewbot.hosts.event import ASKING, event_of, trigger
from reviewbot.hosts.github import reading
from reviewbot.hosts.github.apifolders import ApiFolders, ApiTree, Blobs
from reviewbot.hosts.github.client import Client
from reviewbot.hosts.github.sink import joined
from reviewbot.wiring.hands import Hands
from reviewbot.wiring.prepare import settings_at
from reviewbot.wiring.pull import Desk, Outcome, Wanted, desk, here, outlet_for, run_pull

NAME = "reviewbot"  # what commands are addressed to, where the account is no App of its own
ACTIONS = "github-actions"  # the App whose token every job on GitHub Actions has
DELIVERIES = 10_000  # that are remembered
LARGEST = 1_000_000  # bytes of all of them, which are empty
UNKNOWN_HEAD = "GitHub did not say which head it had when you asked."
ON_CODE = ("explain", "dismiss", "config")  # commands for which the change is read


_WORSE = ("", "clean", "findings", "incomplete")


class Replay(NamedTuple):
    """One delivery. `review` says how a pull request is reviewed; its change is not used."""

    payload: bytes
    file: str  # for errors
    review: DiffOptions
    event: str = ""  # "": the payload's keys tell it
    delivery: str = ""  # GitHub's id of it; one that was handled before is not handled again
    send: str = "post"  # "post" | "dry"
    report: bool = False  # the review itself is wanted, also where there is nothing to post


def run_replay(replay: Replay) -> Outcome:
    """Raises UsageError where the payload cannot be read, or where what it asks for cannot be done."""
    if replay.delivery and not re.fullmatch(r"[A-Za-z0-9-]{1,64}", replay.delivery):
        raise UsageError(f"{replay.delivery!r} is no id of a delivery", "give X-GitHub-Delivery")
    done = f"deliveries/{replay.delivery}"
    if replay.delivery and state.read(done) is not None:
        return Outcome(None, f"delivery {replay.delivery} was handled already")
    event = replay.event or event_of(replay.payload, replay.file)
    if event == "ping":
        return Outcome(None, "pong")
    if event not in ASKING:
        return Outcome(None, f"nothing to do: the event `{event[:60]}` asks for nothing")
    hands = here(replay.review, replay.send)
    me = reading.viewer(hands.client)
    slug = me.login if me.bot else ""
    asked_for = trigger(event, replay.payload, name=_name(me), slug=slug, file=replay.file)
    outcome = do(asked_for, hands, _name(me), replay.report)
    whole = outcome.review is None or not outcome.review.incomplete  # else it is worth another try
    if replay.delivery and replay.send == "post" and whole:
        state.write(done, b"")
        state.shrink("deliveries", DELIVERIES, LARGEST)
    return outcome


def _name(me: Who) -> str:
    return me.login if me.bot and me.login != ACTIONS else NAME


def do(asked_for: Trigger, hands: Hands, name: str, report: bool = False) -> Outcome:
    """`name` is what commands are addressed to; `report` as in Replay."""
    match asked_for:
        case Ignore(why):
            return Outcome(None, f"nothing to do: {why}")
        case Cancel(repo, number, why):
            return Outcome(None, f"{repo}#{number}: {why}; nothing runs here that could be cancelled")
        case Rerun(repo, number, head):
            return _rerun(hands, repo, number, head)
        case ShowRefuted(repo, number, head, check):
            return _show_refuted(hands, repo, number, head, check)
        case Obey(repo, number, command, asked):
            pull = reading.pull(hands.client, repo, number)
            return _Answering(hands, pull, name, report).obey(command, asked)
        case ReviewPull(repo, number, _, full, paths, head, comment):
            wanted = Wanted(repo, number, full, head=head, report=report)
            if comment is None:
                return run_pull(wanted._replace(asked=False), hands)
            command = Command("review", "full" if full else "", paths=paths)
            pull = reading.pull(hands.client, repo, number)
            return _Answering(hands, pull, name, report).review(command, comment, wanted)


def _rerun(hands: Hands, repo: str, number: int | None, head: str) -> Outcome:
    numbers = [number] if number else reading.with_head(hands.client, repo, head)
    if not numbers:
        return Outcome(None, f"no open pull request of {repo} has the head {head[:12]}")
    return _together([run_pull(Wanted(repo, one, full=True, head=head), hands) for one in numbers])


def _together(outcomes: Sequence[Outcome]) -> Outcome:
    """One head can be that of several pull requests. The review is the one of which least is well; of those
    that are alike the first."""
    worst = max(outcomes, key=lambda outcome: _WORSE.index(outcome.review.verdict if outcome.review else ""))
    said = "; ".join(outcome.said for outcome in outcomes)
    documents = [outcome.requests for outcome in outcomes if outcome.requests is not None]
    return Outcome(worst.review, said, joined(documents) if documents else None)


def _show_refuted(hands: Hands, repo: str, number: int | None, head: str, check: int) -> Outcome:
    numbers = [number] if number else reading.with_head(hands.client, repo, head)
    if not numbers:
        return Outcome(None, f"no open pull request of {repo} has the head {head[:12]}")
    pull = reading.pull(hands.client, repo, numbers[0])
    if pull.head_sha != head:
        return Outcome(None, f"{pull.url} has moved on from {head[:12]}")
    title, summary = reading.check_output(hands.client, repo, check)
    with desk(hands, pull) as at:
        found = dismissed(at.reviewed(), remembered(at.said).marker.dismissed)
    outlet = outlet_for(hands, pull)
    body = checkrun.with_refuted(found, title, summary)
    _done(outlet.sink.send(requests.check_edit(pull, check, body)), "the check run")
    return Outcome(None, f"the refuted claims stand in the check run of {pull.url}", outlet.document())


class _Answering:
    """Commands in one comment: who may, a reaction at once, one answer."""

    def __init__(self, hands: Hands, pull: Pull, name: str, report: bool) -> None:
        self._hands, self._client, self._pull, self._name = hands, hands.client, pull, name
        self._report = report
        self._outlet = outlet_for(hands, pull)
        self._said = reading.said(hands.client, pull)

    def obey(self, command: Command, asked: Asked) -> Outcome:
        if why := self._unheard(command, asked):
            return self._outcome(why)
        if command.verb not in ON_CODE:
            obeyed = self._obeyed(command, asked, None)
        else:
            with desk(self._hands, self._pull) as at:
                obeyed = self._obeyed(command, asked, at)
        self._answer(obeyed)
        if obeyed.review:
            wanted = Wanted(self._pull.repo, self._pull.number, report=self._report)
            return run_pull(wanted, self._hands, self._outlet)
        asked_for = "what is no command" if command.verb == "unknown" else f"`{command.verb}`"
        return self._outcome(f"{self._pull.url}: {asked_for} was answered")

    def review(self, command: Command, asked: Asked, wanted: Wanted) -> Outcome:
        """Of the head that was there when it was asked for: what was pushed since, nobody has agreed to."""
        if why := self._unheard(command, asked):
            return self._outcome(why)
        head = asked.head or reading.head_at(self._client, self._pull, asked.created)
        note = "" if head else UNKNOWN_HEAD
        if head and head != self._pull.head_sha:
            self._answer(commands.replied(self._moved(head), asked, self._pull, self._said))
            return self._outcome(f"{self._pull.url} has moved on since it was asked for")
        if command.paths:
            with desk(self._hands, self._pull) as at:
                found = dismissed(at.reviewed(), remembered(at.said).marker.dismissed)
            text = f"{answer(found, command.paths, at.said)}\n\n{note}".rstrip()
            self._answer(commands.replied(text, asked, self._pull, self._said))
            return Outcome(found, self._pull.url, self._outlet.document())
        if not self._pull.open:
            self._answer(self._obeyed(command, asked, None))
            return self._outcome(f"{self._pull.url} is closed")
        outcome = run_pull(wanted, self._hands, self._outlet)
        self._answer(self._result(outcome, asked, note))
        return outcome._replace(requests=self._outlet.document())

    def _unheard(self, command: Command, asked: Asked) -> str:
        """Why it is not obeyed; "": it is. Reacts to it."""
        permitted = reading.permission(self._client, self._pull.repo, asked.author.login)
        settings = settings_at(_tree(self._client, self._pull))
        heard = commands.received(command.verb, asked, self._said, permitted=permitted, terms=settings.pull)
        if heard.reaction:
            request = requests.react(self._pull, asked.comment_id, heard.reaction, asked.kind == "review")
            self._outlet.sink.send(request)  # a reaction that is lost hurts nobody
        return "" if heard.reaction == EYES else f"{self._pull.url}: not obeyed: {heard.why}"

    def _obeyed(self, command: Command, asked: Asked, at: Desk | None) -> Obeyed:
        found = at.reviewed() if at and command.verb != "config" else None
        effective = Effective(at.prepared.settings, at.prepared.skills, at.stamp) if at else None
        return commands.obey(
            command, asked, self._pull, self._said, name=self._name, review=found, effective=effective
        )

    def _answer(self, obeyed: Obeyed) -> None:
        if not obeyed.reply:
            return
        if obeyed.thread:
            request = requests.answer(self._pull, obeyed.thread, obeyed.reply, obeyed.key)
        else:
            request = requests.issue_comment(self._pull, obeyed.reply, obeyed.key)
        _done(self._outlet.sink.send(request), "the answer")
        summary = remembered(self._said).remark
        if obeyed.summary and summary:
            request = requests.summary_edit(self._pull, summary.id, obeyed.summary)
            self._outlet.sink.send(request)  # the answer says the same

    def _moved(self, head: str) -> str:
        return (
            f"You asked at {head[:7]}; the head is {self._pull.head_sha[:7]} by now. "
            "Ask again to have that one reviewed."
        )

    def _result(self, outcome: Outcome, asked: Asked, note: str) -> Obeyed:
        if outcome.repeat:
            return commands.unchanged(asked, self._pull, self._said, self._name)
        if outcome.review is None:
            return commands.replied(f"Not reviewed: {inert(outcome.said)}.", asked, self._pull, self._said)
        return commands.reviewed(asked, self._pull, self._said, outcome.review, note)

    def _outcome(self, said: str) -> Outcome:
        return Outcome(None, said, self._outlet.document())


def _tree(client: Client, pull: Pull) -> ApiFolders:
    """The tip of the base branch: its configuration says who may ask."""
    return ApiFolders(ApiTree(client, pull.repo, pull.base_sha), Blobs(client, pull.repo))


def _done(reply: Reply, what: str) -> None:
    if not reply.done:
        raise UsageError(f"{what} could not be posted: {reply.why}")
