"""What the second reader is shown of one claim: the code that it speaks of, and who defines and uses what
stands in it. All of it is legible: without secrets, without what cannot be seen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from reviewbot.core.ask import symbols
from reviewbot.core.ask.anchor import Sources, shown
from reviewbot.core.ask.find import Frame
from reviewbot.core.ask.legible import ForgedFence, fenced, legible
from reviewbot.core.ask.listing import unchanged
from reviewbot.core.ask.render import page
from reviewbot.core.errors import UsageError
from reviewbot.core.patterns import pattern
from reviewbot.core.types import Part, Side, Site, Text
from reviewbot.core.verify import Checked

MAX_CHARACTERS = 7_500  # of all excerpts of one claim: 2,500 tokens of code
_AROUND = 20  # rows before and behind a quote, or fewer where they are long
_ALSO = 2  # further places that are shown
_BODY = 12  # lines of a definition
_NAMES = 4  # that are looked up
_USES = 6  # of one name
_LOOKED = 400  # characters of a line that are looked at for names
_FORGED = "not shown: it holds the mark that tells data from instructions"

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
    what: str  # "the code", "defines `name`", "uses `name`"; "… at base" where the numbers are those of base
    path: str
    text: str  # rows as the finder sees them
    lines: frozenset[int] = frozenset()  # at head, that are in it


class Case(NamedTuple):
    claim: str
    place: Site  # with the quote
    excerpts: tuple[Excerpt, ...]


def case_of(c: Checked, sources: Sources) -> Case:
    """Neither what the finder thought on the way is in it, nor how sure it was."""
    candidate = c.candidate
    claim = legible(f"{candidate.title.rstrip('.')}. {candidate.failure}")
    return Case(claim, _legible(candidate.site, sources), tuple(_excerpts(c, sources)))


def case_parts(case: Case, frame: Frame) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The system's side and the data. Nothing is marked: rules this short are not worth it that the first
    question is answered before the others are asked."""
    place = f"{case.place.side} line {case.place.start_line}\n{case.place.quote}"
    told = frame.prompts.render(
        "refute.md.j2",
        claim=_fenced("claim", case.claim, frame.nonce),
        quote=_fenced("quote", place, frame.nonce, case.place.path),
        excerpts=[
            _fenced("code", f"({legible(e.what)})\n{e.text}", frame.nonce, e.path) for e in case.excerpts
        ],
        nonce=frame.nonce,
    )
    return (Part(frame.prompts.render("refute-system.md.j2")),), (Part(told),)


def _fenced(kind: str, text: str, nonce: str, path: str = "") -> str:
    try:
        return fenced(kind, text, nonce, path)
    except ForgedFence:
        return fenced(kind, _FORGED, nonce)


def _legible(place: Site, sources: Sources) -> Site:
    """The place with the quote as a model may see it."""
    try:
        text = sources.text(place.side, place.path)
    except UsageError:  # it stood there; what is known of it does for a quote
        text = None
    quote = shown(text).quote(place.start_line, place.line) if text else ""
    return place._replace(quote=quote or legible(place.quote))


def _excerpts(c: Checked, sources: Sources) -> Iterator[Excerpt]:
    """The code around, then who defines and who uses what stands in it, as much as there is room for. What
    stands in an excerpt before is not shown again."""
    left = MAX_CHARACTERS
    seen: set[tuple[str, int]] = set()
    for excerpt in chain(_around(c, sources), _relations(c.candidate.site, sources)):
        places = {(excerpt.path, line) for line in excerpt.lines}
        if len(excerpt.text) <= left and not (places and places <= seen):
            left -= len(excerpt.text)
            seen |= places
            yield excerpt


def _around(c: Checked, sources: Sources) -> Iterator[Excerpt]:
    for place in (c.candidate.site, *c.candidate.also[:_ALSO]):
        try:
            yield _code(place, sources)
        except UsageError as error:
            yield Excerpt("the code was not read", place.path, str(error))


def _code(place: Site, sources: Sources) -> Excerpt:
    quote = range(place.start_line, place.line + 1)
    for around in (_AROUND, _AROUND // 3, 0):
        view = _rows("the code", place.path, quote, sources, place.side, around)
        if len(view.text) <= MAX_CHARACTERS // 2:
            return view
    return _rows("the code", place.path, quote[:1], sources, place.side)


def _relations(own: Site, sources: Sources) -> Iterator[Excerpt]:
    try:
        text = sources.text(own.side, own.path)
    except UsageError:  # which _around says
        return
    for name in _names(own, text) if text else ():
        try:
            yield from _related(name, sources)
        except UsageError as error:  # it decides nothing: the reader is told, and the review is whole
            yield Excerpt(f"`{name}` was not looked up", "", str(error))


def _related(name: str, sources: Sources) -> Iterator[Excerpt]:
    for path, line, _ in symbols.definitions(sources.library.search, Side.RIGHT, name).rows[:1]:
        yield _rows(f"defines `{name}`", path, range(line, line + _BODY), sources)
    for path, line, _ in symbols.usages(sources.library.search, Side.RIGHT, name).rows[:_USES]:
        yield _rows(f"uses `{name}`", path, range(line, line + 1), sources)


def _names(own: Site, text: Text) -> list[str]:
    """The function around, what the quote calls, and the longer names in it."""
    above = (_ENCLOSING.match(line[:_LOOKED]) for line in reversed(text.lines[: own.start_line]))
    around = next((m[1] or m[2] for m in above if m), "")
    quote = own.quote[: _LOOKED * 10]
    names = dict.fromkeys([around, *_CALL.findall(quote), *_LONG_NAME.findall(quote)])
    return [name for name in names if name and name not in _KEYWORDS][:_NAMES]


def _rows(
    what: str, path: str, lines: range, sources: Sources, side: Side = Side.RIGHT, around: int = 0
) -> Excerpt:
    """The lines that are there, and some rows around them; of a changed file with what was deleted."""
    file = next((f for f in sources.change.files if f.path == path and f.hunks), None)
    if file:
        made = page(file, sources.text(Side.RIGHT, path))
        at = [i for i, row in enumerate(made.rows) if (row.new if side is Side.RIGHT else row.old) in lines]
        if at:
            first = max(at[0] - around, 0)
            indices = (*made.lead(first), *range(first, min(at[-1] + around + 1, len(made.rows))))
            numbers = (made.rows[i].new for i in indices)
            return Excerpt(what, path, made.text(indices), frozenset(n for n in numbers if n))
    text = sources.text(side, path)
    known = shown(text).lines if text else ()
    window = range(max(lines.start - 1 - around, 0), min(lines.stop - 1 + around, len(known)))
    rows = unchanged(known, window)
    told = "\n".join(map(str, rows))
    if side is Side.LEFT:
        return Excerpt(f"{what} at base", path, told)
    return Excerpt(what, path, told, frozenset(row.new for row in rows if row.new))
