"""What is said in threads that stand already: fixed, or back. Once, and not where people talk."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from reviewbot.core.ports import Sink
from reviewbot.core.publish import marker, requests
from reviewbot.core.publish.delivery import STAGE
from reviewbot.core.publish.marker import Marker
from reviewbot.core.publish.standing import Standing
from reviewbot.core.report.markup import code
from reviewbot.core.report.words import place
from reviewbot.core.types import Incomplete, Pull

UNRESOLVABLE = "Conversations were answered and left open: the token may not resolve them."


class Answered(NamedTuple):
    notes: tuple[str, ...] = ()
    incomplete: tuple[Incomplete, ...] = ()


def answer_threads(pull: Pull, sink: Sink, standing: Iterable[Standing], may_resolve: bool) -> Answered:
    """At most two requests for each thread. A right that is missing is found out once."""
    notes: tuple[str, ...] = ()
    for s in standing:
        if s.silent:
            continue
        key = _marker(pull, s)
        reply = sink.send(requests.answer(pull, s.thread, f"{_words(pull, s)}\n\n{key}", key))
        if not reply.done:
            left = Incomplete(STAGE, f"the answer in a conversation on {s.thread.path}", reply.why)
            return Answered(notes, (left,))
        if may_resolve and not notes:
            notes = _turned(sink, s)
    return Answered(notes)


def _turned(sink: Sink, standing: Standing) -> tuple[str, ...]:
    """Resolve a thread, or open it again; why it could not be done."""
    thread, fixed = standing.thread, standing.state == "fixed"
    if thread.resolved == fixed:
        return ()
    if fixed and not thread.can_resolve:
        return (UNRESOLVABLE,)
    reply = sink.send(requests.resolve(thread) if fixed else requests.unresolve(thread))
    if reply.done:
        return ()
    return (UNRESOLVABLE if reply.status == 403 else f"A conversation stays as it was: {reply.why}.",)


def _words(pull: Pull, standing: Standing) -> str:
    head = pull.head_sha[:7]
    if standing.state == "fixed":
        return f"Fixed in {head}: {standing.why}."
    at = f" at {code(place(standing.finding.candidate.site))}" if standing.finding else ""
    return f"Back in {head}{at}: what this conversation is about was gone, and is found again."


def _marker(pull: Pull, standing: Standing) -> str:
    own, first = standing.marker, standing.thread.remarks[0].id
    return marker.write(
        Marker(
            "reply", head=pull.head_sha, fingerprints=own.fingerprints, state=standing.state, answers=first
        )
    )
