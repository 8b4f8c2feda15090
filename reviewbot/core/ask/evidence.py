"""What a model claims is run by us, and what is left of it is what holds (law 4).

A false check strikes the sentence that rests on it. A sentence about all, or none, of something is
struck too unless its check counted them. A candidate of which nothing is left is a rejection.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from reviewbot.core.ask import sweeping
from reviewbot.core.ask.anchor import Place, Sources, anchor, overlap
from reviewbot.core.ask.answers import Draft, Sentence
from reviewbot.core.ask.checks import Meter, run
from reviewbot.core.ask.edits import placed
from reviewbot.core.errors import UsageError
from reviewbot.core.types import Claim, Receipt, Rejection, Side, Site
from reviewbot.core.verify import Checked


class Weighed(NamedTuple):
    """Each draft is in `checked` or in `rejections`."""

    checked: tuple[Checked, ...]
    rejections: tuple[Rejection, ...]


class _Run(NamedTuple):
    """One item of evidence, and what came of it."""

    claim: Claim
    receipt: Receipt | None  # None: the tree could not be read
    why: str = ""  # it could not

    @property
    def holds(self) -> bool:
        return self.receipt is not None and self.receipt.ok


def weigh(drafts: Sequence[Draft], sources: Sources) -> Weighed:
    """Anchor each draft by its quote, run its evidence, and keep what holds."""
    checked: list[Checked] = []
    rejections: list[Rejection] = []
    meter = Meter()
    for draft in drafts:
        place = anchor(draft.candidate.site, sources)
        if isinstance(place, str):
            rejections.append(Rejection(draft.candidate, "unquoted", place))
            continue
        runs = [_run(claim, sources, meter) for claim in draft.candidate.claims]
        faults = [(sentence, _fault(sentence, runs)) for sentence in draft.sentences]
        said = [sentence for sentence, why in faults if not why]
        held = _held(draft, said, runs)
        if not said:
            rejections.append(Rejection(draft.candidate, "unquoted", "; ".join(why for _, why in faults)))
        elif not held and (false := _false(runs)):
            why = f"no check of it holds; {false.claim}: {false.detail}"
            rejections.append(Rejection(draft.candidate, "unquoted", why))
        else:
            checked.append(_checked(draft, place, said, held, sources))
    return Weighed(tuple(checked), tuple(rejections))


def _run(claim: Claim, sources: Sources, meter: Meter) -> _Run:
    try:
        return _Run(claim, run(claim, sources, meter))
    except UsageError as error:
        return _Run(claim, None, str(error))


def _false(runs: Sequence[_Run]) -> Receipt | None:
    return next((r.receipt for r in runs if r.receipt and not r.receipt.ok), None)


def _fault(sentence: Sentence, runs: Sequence[_Run]) -> str:
    """Why a sentence is struck, or ""."""
    if any(not 0 <= i < len(runs) for i in sentence.evidence):
        return "it rests on evidence that is not given"
    cited = [runs[i] for i in sentence.evidence]
    if false := _false(cited):
        return f"{false.claim}: {false.detail}"
    if unread := next((r for r in cited if r.receipt is None), None):
        return f"its check could not be run: {unread.why}"
    word = sweeping.word(sentence.text)
    if word and not any(sweeping.bears(word, r.claim) for r in cited):
        return f"`{word}` was not counted"
    return ""


def _held(draft: Draft, said: Sequence[Sentence], runs: Sequence[_Run]) -> list[_Run]:
    """The evidence that what is said rests on, and that of which nothing is said. Where a finding gives
    none, its own quote bears it."""
    cited = {i for sentence in draft.sentences for i in sentence.evidence}
    needed = {i for sentence in said for i in sentence.evidence}
    return [r for i, r in enumerate(runs) if i in needed or (i not in cited and r.holds)]


def _checked(
    draft: Draft, place: Place, said: Sequence[Sentence], held: Sequence[_Run], sources: Sources
) -> Checked:
    stated = draft.candidate
    receipts = dict.fromkeys((place.receipt, *(r.receipt for r in held if r.receipt)))
    moves = _moves(place, stated.site, held)
    swept = [r.claim for r in held]
    causes = _places(draft.cause, sources) if draft.cause else []
    touched = [site for site in causes if sources.changes(site)][:1]
    also = dict.fromkeys((*place.others, *_further(draft, sources), *touched))
    whole = stated._replace(
        title=sweeping.corrected(_sober(stated.title, swept), moves)
        or stated.slug.replace("-", " ").capitalize(),
        site=place.site,
        failure=" ".join(sweeping.corrected(sentence.text, moves) for sentence in said),
        cost=sweeping.corrected(_sober(stated.cost, swept), moves),
        also=tuple(site for site in also if not overlap(site, place.site)),
        edit=placed(stated.edit, stated.site, place),
        claims=tuple(swept),
    )
    old = not any(map(sources.changes, (whole.site, *whole.also)))
    aside = f"{len(place.others) + 1} candidates for its place" if place.others else ""
    if old and draft.cause and not causes:
        aside = "its cause could not be placed"
    return Checked(whole, tuple(receipts), preexisting=old, aside=aside)


def _sober(text: str, counted: Sequence[Claim]) -> str:
    """The sentences of `text` that speak of all, or none, of something only where that was counted."""
    return " ".join(
        sentence
        for sentence in sweeping.sentences(text)
        if not (word := sweeping.word(sentence)) or any(sweeping.bears(word, claim) for claim in counted)
    )


def _moves(place: Place, stated: Site, held: Sequence[_Run]) -> Mapping[int, int]:
    """Stated line -> the one at which it stands."""
    moves = {r.claim.line: r.receipt.line for r in held if r.receipt and r.claim.line and r.receipt.line}
    if place.moved:
        moves[stated.start_line] = place.site.start_line
    return {old: new for old, new in moves.items() if old != new}


def _further(draft: Draft, sources: Sources) -> Iterator[Site]:
    """The other places that are certain."""
    for stated in draft.candidate.also:
        place = anchor(stated, sources)
        if isinstance(place, Place) and not place.others:
            yield place.site


def _places(cause: Site, sources: Sources) -> list[Site]:
    """All places of what makes it new: a line that was added, or taken away (law 5)."""
    places = (anchor(cause._replace(side=side), sources) for side in Side)
    return [site for place in places if isinstance(place, Place) for site in (place.site, *place.others)]
