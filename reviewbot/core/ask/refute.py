"""The second reading: each claim alone, in a fresh context, before somebody who is told to kill it.

He sees the claim, the code, and who defines and calls what stands in it; not what the finder thought
on the way, nor how sure it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from reviewbot.core.ask import symbols
from reviewbot.core.ask.anchor import Place, Sources, anchor, shown
from reviewbot.core.ask.answers import decoded, prose, site
from reviewbot.core.ask.legible import legible
from reviewbot.core.ask.schema import REFUTE
from reviewbot.core.errors import UsageError
from reviewbot.core.patterns import pattern
from reviewbot.core.types import (
    Answer,
    Grade,
    Incomplete,
    ModelTerms,
    Origin,
    Part,
    Question,
    Refutation,
    Rejection,
    Side,
    Site,
    Text,
)
from reviewbot.core.verify import Checked, changed_lines

ALARM = 5  # claims, of which not one survived: then the refuter is not to be believed
MAX_CHARACTERS = 7_500  # of all excerpts of one question: 2,500 tokens of code
MAX_TOKENS = 6_000  # of an answer, its thinking included
ROUNDS, LOOKUP_BYTES = 3, 20_000  # of look-ups for one claim, at most
_AROUND = 20  # lines before and behind a quote, or fewer where they are long
_ALSO = 2  # further places that are shown
_BODY = 12  # lines of a definition
_NAMES = 4  # that are looked up
_USES = 6  # of one name
_WIDE = 400  # characters of a line
_MIN_COUNTER = 6  # characters: a lone brace refutes nothing
_MAX_REASON = 600

_CALL = pattern(r"\b([A-Za-z_]\w{2,60})\s{0,4}\(")
_LONG_NAME = pattern(r"\b[A-Za-z]\w{0,40}_\w{1,40}\b")
_ENCLOSING = pattern(
    r"\s*(?:(?:export|public|private|static|async)\s+){0,4}(?:def|function|func|fn)\s+(\w{1,60})"
    r"|(\w{1,60})\s{0,4}\(\)"
)
_KEYWORDS = frozenset(
    ("assert", "await", "catch", "elif", "except", "for", "if", "not", "return", "switch", "while")
)


class Excerpt(NamedTuple):
    what: str  # "the code", "defines `name`", "uses `name`"
    path: str
    text: str  # numbered lines; a mark behind the number says what the change did


class Case(NamedTuple):
    """What the refuter is given, all of it legible: without secrets, without what cannot be seen."""

    claim: str
    place: Site  # with the quote
    excerpts: tuple[Excerpt, ...]


class Verdicts(NamedTuple):
    """Each candidate is in `checked` or in `rejections`."""

    checked: tuple[Checked, ...]
    rejections: tuple[Rejection, ...]
    problems: tuple[Incomplete, ...]


Render = Callable[[Case], tuple[tuple[Part, ...], tuple[Part, ...]]]  # -> system, data


def due(checked: Iterable[Checked]) -> list[Checked]:
    """What wants a second reading: the claims of a model, and hints. The old counts for nothing anyway."""
    return [
        c
        for c in checked
        if not c.preexisting and (c.candidate.origin is Origin.MODEL or c.candidate.grade is Grade.HINT)
    ]


def questions(
    checked: Iterable[Checked], sources: Sources, terms: ModelTerms, render: Render, tools: str = ""
) -> tuple[Question, ...]:
    """One question for each that is due, in their order. `tools`: the look-ups of which there may be some;
    without any, a trial left 4 of 12 true claims `unsure`, each for want of one definition."""
    return tuple(_question(c, sources, terms, render, tools) for c in due(checked))


def apply(checked: Sequence[Checked], answers: Sequence[Answer], sources: Sources) -> Verdicts:
    """What the answers to `questions(checked, …)` make of the candidates. Who was not refuted stays."""
    asked = due(checked)
    replies = dict(zip(asked, answers, strict=True))
    kept: list[Checked] = []
    rejections: list[Rejection] = []
    problems: list[Incomplete] = []
    for c in checked:
        if c not in replies:
            kept.append(c)
            continue
        refutation = _refutation(replies[c], sources)
        if refutation.verdict == "refuted":
            rejections.append(Rejection(c.candidate, "refuted", refutation.reason))
            continue
        kept.append(c._replace(refutation=refutation))
        if refutation.verdict == "not-run":
            problems.append(Incomplete("model", _about(c), refutation.reason))
    if len(rejections) == len(asked) >= ALARM:
        why = f"it refuted all {len(asked)} claims: a reader who believes nothing cannot be believed"
        problems.append(Incomplete("model", "the second reading", why))
    return Verdicts(tuple(kept), tuple(rejections), tuple(problems))


def _question(c: Checked, sources: Sources, terms: ModelTerms, render: Render, tools: str) -> Question:
    candidate = c.candidate
    claim = legible(f"{candidate.title.rstrip('.')}. {candidate.failure}")
    system, data = render(Case(claim, _shown(candidate.site, sources), tuple(_excerpts(c, sources))))
    return Question(
        purpose="refute",
        about=_about(c),
        model=terms.refute,
        effort=terms.refute_effort,
        system=system,
        data=data,
        schema=REFUTE,
        tools=tools,
        max_tokens=MAX_TOKENS,
    )


def _about(c: Checked) -> str:
    return f"second reading of {c.candidate.slug} at {c.candidate.site.path}:{c.candidate.site.start_line}"


def _refutation(answer: Answer, sources: Sources) -> Refutation:
    payload = decoded(answer.payload)
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


def _excerpts(c: Checked, sources: Sources) -> Iterator[Excerpt]:
    """The code around, then who defines and who uses what stands in it, as much as there is room for."""
    left = MAX_CHARACTERS
    for excerpt in chain(_around(c, sources), _relations(c.candidate.site, sources)):
        if len(excerpt.text) <= left:
            left -= len(excerpt.text)
            yield excerpt


def _around(c: Checked, sources: Sources) -> Iterator[Excerpt]:
    for place in (c.candidate.site, *c.candidate.also[:_ALSO]):
        what = "the code" if place.side is Side.RIGHT else "the code at base"
        views = (_window(place, around, sources) for around in (_AROUND, _AROUND // 3, 0))
        small = next((view for view in views if len(view) <= MAX_CHARACTERS // 2), "")
        yield Excerpt(what, place.path, small or f"{_window(place, 0, sources)[: MAX_CHARACTERS // 2]}…")


def _window(place: Site, around: int, sources: Sources) -> str:
    rows = range(place.start_line - around, place.line + around + 1)
    return _numbered(place.path, rows, sources, place.side)


def _relations(own: Site, sources: Sources) -> Iterator[Excerpt]:
    text = sources.text(own.side, own.path)
    for name in _names(own, text) if text else ():
        try:
            yield from _related(name, own, sources)
        except UsageError as error:
            yield Excerpt(f"`{name}` was not looked up", "", str(error))


def _related(name: str, own: Site, sources: Sources) -> Iterator[Excerpt]:
    for path, line, _ in symbols.definitions(sources.library, Side.RIGHT, name).rows[:1]:
        yield Excerpt(f"defines `{name}`", path, _numbered(path, range(line, line + _BODY), sources))
    for path, line, _ in symbols.uses(sources.library, Side.RIGHT, name).rows[:_USES]:
        if path != own.path or abs(line - own.line) > _AROUND:
            yield Excerpt(f"uses `{name}`", path, _numbered(path, range(line, line + 1), sources))


def _names(own: Site, text: Text) -> list[str]:
    """The function around, what the quote calls, and the longer names in it."""
    above = (_ENCLOSING.match(line[:_WIDE]) for line in reversed(text.lines[: own.start_line]))
    around = next((m[1] or m[2] for m in above if m), "")
    quote = own.quote[: _WIDE * 10]
    names = dict.fromkeys([around, *_CALL.findall(quote), *_LONG_NAME.findall(quote)])
    return [name for name in names if name and name not in _KEYWORDS][:_NAMES]


def _numbered(path: str, rows: range, sources: Sources, side: Side = Side.RIGHT) -> str:
    """The lines of `rows` that are there, as the finder saw them."""
    text = sources.text(side, path)
    file = next((f for f in sources.change.files if f.path == path), None)
    changed = changed_lines(file, side) if file else set()
    mark = "+" if side is Side.RIGHT else "-"
    lines = shown(text).lines if text else ()
    numbered = ((n, lines[n - 1]) for n in rows if 1 <= n <= len(lines))
    return "\n".join(f"{n:>4} {mark if n in changed else ' '}{_cut(line)}" for n, line in numbered)


def _cut(line: str) -> str:
    return line if len(line) <= _WIDE else f"{line[:_WIDE]}…"


def _shown(place: Site, sources: Sources) -> Site:
    """The place with the quote as a model may see it."""
    text = sources.text(place.side, place.path)
    quote = shown(text).quote(place.start_line, place.line) if text else ""
    return place._replace(quote=quote or legible(place.quote))
