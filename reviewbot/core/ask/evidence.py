"""What a model claims is run by us, and what is left of it is what holds (law 4).

A false check strikes the sentence that rests on it. A sentence about all, or none, of something is
struck too unless its check counted them. A candidate of which nothing is left is a rejection.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from reviewbot.core.ask import sweeping
from reviewbot.core.ask.anchor import Place, Sources, anchor, overlap
from reviewbot.core.ask.answers import Draft, Sentence
from reviewbot.core.ask.checks import Meter, run
from reviewbot.core.types import Candidate, Claim, Edit, Receipt, Rejection, Side, Site
from reviewbot.core.verify import Checked


class Struck(NamedTuple):
    """A sentence that a model said, and nobody will read."""

    candidate: Candidate  # as it was stated
    sentence: str
    why: str


class Weighed(NamedTuple):
    """Each draft is in `checked` or in `rejections`."""

    checked: tuple[Checked, ...]
    rejections: tuple[Rejection, ...]
    struck: tuple[Struck, ...] = ()


class _Run(NamedTuple):
    """One item of evidence, and what came of it."""

    claim: Claim
    receipt: Receipt


def weigh(drafts: Sequence[Draft], sources: Sources) -> Weighed:
    """Anchor each draft by its quote, run its evidence, and keep what holds."""
    checked: list[Checked] = []
    rejections: list[Rejection] = []
    struck: list[Struck] = []
    meter = Meter()
    for draft in drafts:
        place = anchor(draft.candidate.site, sources)
        if isinstance(place, str):
            rejections.append(Rejection(draft.candidate, "unquoted", place))
            continue
        runs = [_Run(claim, run(claim, sources, meter)) for claim in draft.candidate.claims]
        faults = [(sentence, _fault(sentence, runs)) for sentence in draft.sentences]
        struck += [Struck(draft.candidate, sentence.text, why) for sentence, why in faults if why]
        said = [sentence for sentence, why in faults if not why]
        held = _held(draft, said, runs)
        if not said:
            rejections.append(Rejection(draft.candidate, "unquoted", "; ".join(why for _, why in faults)))
        elif not held and (false := next((r.receipt for r in runs if not r.receipt.ok), None)):
            why = f"no check of it holds; {false.claim}: {false.detail}"
            rejections.append(Rejection(draft.candidate, "unquoted", why))
        else:
            checked.append(_checked(draft, place, said, held, sources))
    return Weighed(tuple(checked), tuple(rejections), tuple(struck))


def _fault(sentence: Sentence, runs: Sequence[_Run]) -> str:
    """Why a sentence is struck, or ""."""
    if any(not 0 <= i < len(runs) for i in sentence.evidence):
        return "it rests on evidence that is not given"
    cited = [runs[i] for i in sentence.evidence]
    if false := next((r.receipt for r in cited if not r.receipt.ok), None):
        return f"{false.claim}: {false.detail}"
    word = sweeping.word(sentence.text)
    if word and not any(sweeping.bears(word, r.claim) for r in cited):
        return f"`{word}` was not counted"
    return ""


def _held(draft: Draft, said: Sequence[Sentence], runs: Sequence[_Run]) -> list[_Run]:
    """The evidence that what is said rests on, and that of which nothing is said. Where a finding gives
    none, its own quote bears it."""
    cited = {i for sentence in draft.sentences for i in sentence.evidence}
    needed = {i for sentence in said for i in sentence.evidence}
    return [r for i, r in enumerate(runs) if i in needed or (i not in cited and r.receipt.ok)]


def _checked(
    draft: Draft, place: Place, said: Sequence[Sentence], held: Sequence[_Run], sources: Sources
) -> Checked:
    stated = draft.candidate
    receipts = dict.fromkeys((place.receipt, *(r.receipt for r in held)))
    moves = _moves(place, stated.site, held)
    swept = [r.claim for r in held]
    also = dict.fromkeys((*place.others, *_further(draft, sources)))
    whole = stated._replace(
        title=sweeping.corrected(_sober(stated.title, swept), moves)
        or stated.slug.replace("-", " ").capitalize(),
        site=place.site,
        failure=" ".join(sweeping.corrected(sentence.text, moves) for sentence in said),
        cost=sweeping.corrected(_sober(stated.cost, swept), moves),
        also=tuple(site for site in also if not overlap(site, place.site)),
        edit=None if place.others else _moved(stated.edit, stated.site, place),
        claims=tuple(swept),
    )
    return Checked(
        whole,
        tuple(receipts),
        preexisting=not any(map(sources.changes, (whole.site, *whole.also))),
        aside=f"{len(place.others) + 1} candidates for its place" if place.others else "",
    )


def _plain(slug: str) -> str:
    return slug.replace("-", " ").capitalize()


def _sober(text: str, counted: Sequence[Claim]) -> str:
    """The sentences of `text` that speak of all, or none, of something only where that was counted."""
    return " ".join(
        sentence
        for sentence in sweeping.sentences(text)
        if not (word := sweeping.word(sentence)) or any(sweeping.bears(word, claim) for claim in counted)
    )


def _moves(place: Place, stated: Site, held: Sequence[_Run]) -> Mapping[int, int]:
    """Stated line -> the one at which it stands."""
    moves = {r.claim.line: r.receipt.line for r in held if r.claim.line and r.receipt.line}
    if place.moved:
        moves[stated.start_line] = place.site.start_line
    return {old: new for old, new in moves.items() if old != new}


def _further(draft: Draft, sources: Sources) -> Iterator[Site]:
    """The other places, and the one that makes it new: a line that was added, or taken away (law 5)."""
    for stated in draft.candidate.also:
        yield from _standing(stated, sources)
    if draft.cause:
        sides = (site for side in Side for site in _standing(draft.cause._replace(side=side), sources))
        yield from islice(filter(sources.changes, sides), 1)


def _standing(stated: Site, sources: Sources) -> Iterator[Site]:
    place = anchor(stated, sources)
    if isinstance(place, Place) and not place.others:
        yield place.site


def _moved(edit: Edit | None, stated: Site, place: Place) -> Edit | None:
    """An edit goes where its quote went; one of lines that the quote does not show has no place then."""
    if edit is None or stated.side is Side.LEFT:
        return None
    inside = stated.start_line <= edit.start_line and edit.line <= stated.line
    touches = edit.start_line <= stated.line and stated.start_line <= edit.line
    if not (inside if place.moved else touches):
        return None
    return edit._replace(start_line=edit.start_line + place.moved, line=edit.line + place.moved)
