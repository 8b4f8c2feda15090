"""What is said in threads that stand already: fixed, back, or said twice. Once, and not where people talk."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from reviewbot.core.ports import Sink
from reviewbot.core.publish import marker, requests
from reviewbot.core.publish.delivery import STAGE
from reviewbot.core.publish.marker import Marker
from reviewbot.core.publish.standing import Standing, State, answered
from reviewbot.core.publish.table import link
from reviewbot.core.report.markup import code
from reviewbot.core.report.words import place
from reviewbot.core.types import Incomplete, Pull, Reply, Who

_ENDED = (State.FIXED, State.DOUBLE)  # what it is about is not to be done here
UNRESOLVABLE = "Conversations were answered and left open: the token may not resolve them."


class Answered(NamedTuple):
    """`unended`: fingerprints of threads that were answered, and wait to be resolved or opened again."""

    notes: tuple[str, ...] = ()
    incomplete: tuple[Incomplete, ...] = ()
    unended: tuple[str, ...] = ()


def answer_threads(
    pull: Pull, sink: Sink, standing: Iterable[Standing], may_resolve: bool, late: Collection[str] = ()
) -> Answered:
    """At most two requests for each thread. A right that is missing is found out once.

    late: fingerprints of the threads of which an earlier review could do the first half alone.
    """
    notes: tuple[str, ...] = ()
    unended = list(late)
    for s in standing:
        name = s.marker.fingerprints[0] if s.marker.fingerprints else ""
        if s.silent and name not in late:
            continue
        if not s.silent:
            key = _marker(pull, s)
            reply = sink.send(requests.answer(pull, s.thread, f"{_words(pull, s)}\n\n{key}", key))
            if not reply.done:
                left = Incomplete(STAGE, f"the answer in a conversation on {s.thread.path}", reply.why)
                return Answered(notes, (left,), tuple(unended))
            unended.append(name)
        if may_resolve and not notes:
            reply = _turned(sink, s)
            if not (reply.done or reply.refused(403, 404, 422)):  # else the next review is told the same
                left = Incomplete(STAGE, f"the end of a conversation on {s.thread.path}", reply.why)
                return Answered(notes, (left,), tuple(unended))
            notes = () if reply.done else (_why(reply),)
        unended.remove(name)
    return Answered(notes, (), ())


def late(standing: Iterable[Standing], unended: Collection[str], me: Who) -> frozenset[str]:
    """Of the threads that were left half done, those in which nothing has happened since."""
    names: set[str] = set()
    for s in standing:
        turned = s.thread.resolved == (s.state in _ENDED)
        alive = s.state in (*_ENDED, State.STILL, State.MOVED) and not answered(s.thread, me)
        if alive and not turned:
            names.update(s.marker.fingerprints)
    return frozenset(names.intersection(unended))


def _turned(sink: Sink, standing: Standing) -> Reply:
    """Resolve a thread, or open it again."""
    thread, ended = standing.thread, standing.state in _ENDED
    if thread.resolved == ended:
        return Reply(200, {})
    if ended and not thread.can_resolve:
        return Reply(403, {})
    return sink.send(requests.resolve(thread) if ended else requests.unresolve(thread))


def _why(reply: Reply) -> str:
    return UNRESOLVABLE if reply.status == 403 else f"A conversation stays as it was: {reply.why}."


def _words(pull: Pull, standing: Standing) -> str:
    head = pull.head_sha[:7]
    if standing.state == State.FIXED:
        return f"Fixed in {head}: {standing.why}."
    if standing.other is not None:
        return f"The same is said in {link('another conversation', standing.other.remarks[0].url)}."
    at = f" at {code(place(standing.finding.candidate.site))}" if standing.finding else ""
    if standing.why:
        return f"Open again in {head}{at}: {standing.why}."
    return f"Back in {head}{at}: what this conversation is about was gone, and is found again."


def _marker(pull: Pull, standing: Standing) -> str:
    own, first = standing.marker, standing.thread.remarks[0].id
    return marker.write(
        Marker(
            "reply", head=pull.head_sha, fingerprints=own.fingerprints, state=standing.state, answers=first
        )
    )
