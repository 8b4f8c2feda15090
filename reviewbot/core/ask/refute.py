"""The second reading: each claim alone, in a fresh context, before somebody who is told to kill it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from reviewbot.core.ask.anchor import Place, Sources, anchor
from reviewbot.core.ask.answers import prose, site
from reviewbot.core.ask.case import case_of, case_parts
from reviewbot.core.ask.find import Frame
from reviewbot.core.ask.linerefs import Ref, refs, same_file
from reviewbot.core.ask.schema import REFUTE
from reviewbot.core.ask.sweeping import sentences, unborne
from reviewbot.core.errors import UsageError
from reviewbot.core.patterns import pattern
from reviewbot.core.types import (
    Answer,
    Grade,
    Incomplete,
    Origin,
    Question,
    Refutation,
    Rejection,
    Side,
    Site,
)
from reviewbot.core.verify import Checked

ALARM = 3  # claims, of which not one survived: then the refuter is not to be believed
MAX_TOKENS = 6_000  # of an answer, its thinking included
ROUNDS, LOOKUP_BYTES = 3, 20_000  # of look-ups for one claim, at most. Without any, a trial left 4 of 12 true
# claims `unsure`, each for want of one definition.
_MIN_COUNTER = 6  # characters: a lone brace refutes nothing
_MAX_REASON = 600
_COMMENT = pattern(r"\s*(?:#|//|/\*|\*|--\s|<!--|;)")
_FILE = pattern(r"(?<![\w./-])[\w./-]{0,200}\w\.[A-Za-z]\w{0,7}")
_HEADER = pattern(r"\s*(?:async )?(?:def|class|func|function|fn) [^=]*+[:{]?\s*")


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
        refutation = _refutation(c, replies[c], sources)
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


def _refutation(c: Checked, answer: Answer, sources: Sources) -> Refutation:
    payload = answer.payload
    if answer.reason or not isinstance(payload, dict):
        why = ": ".join(filter(None, (answer.reason or "not-json", answer.detail)))
        return Refutation("not-run", why)
    verdict = payload.get("verdict")
    reason = _sober(prose(payload.get("reason"), _MAX_REASON), c, sources)
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
    if why := _no_counter(place, c.candidate.site, sources):
        return Refutation("unsure", f"refuted by {why}: {reason}")
    return Refutation("refuted", f"{reason} {place.receipt.claim}.".strip())


def _sober(reason: str, c: Checked, sources: Sources) -> str:
    """A reason without what it says of all, or none, of something, unless a check of the claim counted it,
    and without lines that are not there."""
    last = {path: _length(path, sources) for path in _named(reason, c, sources)}
    return " ".join(
        sentence
        for sentence in filter(None, sentences(reason))
        if not unborne(sentence, c.candidate.claims) and all(_is_there(ref, last) for ref in refs(sentence))
    )


def _named(reason: str, c: Checked, sources: Sources) -> list[str]:
    """The files of which a reason may speak: that of the claim, and those that it names."""
    said = _FILE.findall(reason)
    try:
        tree = sources.library.paths(Side.RIGHT) if said else ()
    except UsageError:  # a patch has none; what is changed is known
        tree = ()
    known = dict.fromkeys((*(f.path for f in sources.change.files), *sources.head.files, *tree))
    return [c.candidate.site.path, *(p for p in known if any(same_file(name, p) for name in said))]


def _length(path: str, sources: Sources) -> int:
    """The number of the last line at head or at base. What cannot be read has none: it decides nothing."""
    lengths = [0]
    for side, read in ((Side.RIGHT, sources.head), (Side.LEFT, sources.base)):
        with suppress(UsageError):
            text = read.files.get(path) or sources.library.text(side, path)
            lengths.append(len(text.lines) if text else 0)
    return max(lengths)


def _is_there(ref: Ref, last: Mapping[str, int]) -> bool:
    own = [n for path, n in last.items() if not ref.file or same_file(ref.file, path)]
    return max(ref.numbers) <= max(own, default=0)


def _no_counter(place: Place, own: Site, sources: Sources) -> str:
    """Why what was quoted refutes nothing, or ""."""
    at = place.site
    if (at.path, at.side) == (own.path, own.side) and own.start_line <= at.start_line and at.line <= own.line:
        return "the very lines of the claim"
    lines = [line for line in at.quote.split("\n") if line.strip()]
    if all(_COMMENT.match(line) for line in lines) and sources.changes(at):
        return "a comment of the change"
    return "the name of a function" if len(lines) == 1 and _HEADER.fullmatch(lines[0]) else ""
