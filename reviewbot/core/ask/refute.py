"""The second reading: each claim alone, in a fresh context, before somebody who is told to kill it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from reviewbot.core.ask.anchor import Place, Sources, anchor
from reviewbot.core.ask.answers import prose, site
from reviewbot.core.ask.case import case_of, case_parts
from reviewbot.core.ask.find import Frame
from reviewbot.core.ask.schema import REFUTE
from reviewbot.core.types import (
    Answer,
    Grade,
    Incomplete,
    Origin,
    Question,
    Refutation,
    Rejection,
    Side,
)
from reviewbot.core.verify import Checked

ALARM = 5  # claims, of which not one survived: then the refuter is not to be believed
MAX_TOKENS = 6_000  # of an answer, its thinking included
ROUNDS, LOOKUP_BYTES = 3, 20_000  # of look-ups for one claim, at most. Without any, a trial left 4 of 12 true
# claims `unsure`, each for want of one definition.
_MIN_COUNTER = 6  # characters: a lone brace refutes nothing
_MAX_REASON = 600


class Verdicts(NamedTuple):
    """Each candidate is in `checked` or in `rejections`."""

    checked: tuple[Checked, ...]
    rejections: tuple[Rejection, ...]
    problems: tuple[Incomplete, ...]


def due(checked: Iterable[Checked]) -> tuple[Checked, ...]:
    """What wants a second reading: the claims of a model, and hints. The old counts for nothing anyway."""
    return tuple(
        c
        for c in checked
        if not c.preexisting and (c.candidate.origin is Origin.MODEL or c.candidate.grade is Grade.HINT)
    )


def questions(claims: Iterable[Checked], sources: Sources, frame: Frame) -> tuple[Question, ...]:
    """One for each claim, in their order."""
    return tuple(_question(c, sources, frame) for c in claims)


def apply(checked: Iterable[Checked], heard: Iterable[tuple[Checked, Answer]], sources: Sources) -> Verdicts:
    """What was answered about some of the candidates makes of all of them. Who was not refuted stays."""
    replies = dict(heard)
    kept: list[Checked] = []
    rejections: list[Rejection] = []
    problems: list[Incomplete] = []
    asked = 0
    for c in checked:
        if c not in replies:
            kept.append(c)
            continue
        asked += 1
        refutation = _refutation(replies[c], sources)
        if refutation.verdict == "refuted":
            rejections.append(Rejection(c.candidate, "refuted", refutation.reason))
            continue
        kept.append(c._replace(refutation=refutation))
        if refutation.verdict == "not-run":
            problems.append(Incomplete("model", _about(c), refutation.reason))
    if len(rejections) == asked >= ALARM:
        why = f"it refuted all {asked} claims: a reader who believes nothing cannot be believed"
        problems.append(Incomplete("model", "the second reading", why))
    return Verdicts(tuple(kept), tuple(rejections), tuple(problems))


def _question(c: Checked, sources: Sources, frame: Frame) -> Question:
    system, data = case_parts(case_of(c, sources), frame)
    return Question(
        purpose="refute",
        about=_about(c),
        model=frame.terms.refute,
        effort=frame.terms.refute_effort,
        system=system,
        data=data,
        schema=REFUTE,
        tools=frame.tools,
        max_tokens=MAX_TOKENS,
    )


def _about(c: Checked) -> str:
    return f"second reading of {c.candidate.slug} at {c.candidate.site.path}:{c.candidate.site.start_line}"


def _refutation(answer: Answer, sources: Sources) -> Refutation:
    payload = answer.payload
    if answer.reason or not isinstance(payload, dict):
        why = ": ".join(filter(None, (answer.reason or "not-json", answer.detail)))
        return Refutation("not-run", why)
    verdict, reason = payload.get("verdict"), prose(payload.get("reason"), _MAX_REASON)
    if verdict in ("confirmed", "unsure"):
        return Refutation(verdict, reason)
    if verdict != "refuted":
        return Refutation("not-run", f"not-json: `{prose(verdict, 40)}` is no verdict")
    counter = site(payload.get("counter"))
    if counter is None or len("".join(counter.quote.split())) < _MIN_COUNTER:
        return Refutation("unsure", f"refuted without a quote: {reason}")
    places = (anchor(counter._replace(side=side), sources) for side in Side)
    place = next((place for place in places if isinstance(place, Place)), None)
    if place is None:
        return Refutation("unsure", f"refuted by a quote that does not stand in {counter.path}: {reason}")
    return Refutation("refuted", f"{reason} {place.receipt.claim}.".strip())
