"""What a model claims is run by us, and what is left of it is what holds (law 4).

A false check strikes the sentence that rests on it. A sentence about all, or none, of something is
struck too unless its check counted them, and so is one that names a line of which no check speaks. The
first sentence is the core: a candidate of which no check of it holds is a rejection. What is struck of
another is named among its receipts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reviewbot.core.ask import sober
from reviewbot.core.ask.anchor import Place, Sources, anchor, overlap
from reviewbot.core.ask.answers import Draft, Sentence
from reviewbot.core.ask.checks import Meter, named_places, run
from reviewbot.core.ask.edits import placed
from reviewbot.core.ask.linerefs import Lines, corrected
from reviewbot.core.errors import UsageError
from reviewbot.core.types import Candidate, Claim, Receipt, Rejection, Side, Site
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


class _Around(NamedTuple):
    """Where a finding stands, and what it names beside that."""

    place: Place
    further: tuple[Site, ...]
    causes: tuple[Site, ...] | None  # None: it names none


def weigh(drafts: Sequence[Draft], sources: Sources) -> Weighed:
    """Anchor each draft by its quote, run its evidence, and keep what holds."""
    checked: list[Checked] = []
    rejections: list[Rejection] = []
    meter = Meter()
    for draft in drafts:
        done = _weigh(draft, sources, meter)
        if isinstance(done, Checked):
            checked.append(done)
        else:
            rejections.append(Rejection(draft.candidate, "unquoted", done))
    return Weighed(tuple(checked), tuple(rejections))


def _weigh(draft: Draft, sources: Sources, meter: Meter) -> Checked | str:
    """What is left of a draft, or why nothing is."""
    place = anchor(draft.candidate.site, sources)
    if isinstance(place, str):
        return place
    runs = [_run(claim, sources, meter) for claim in draft.candidate.claims]
    causes = tuple(_places(draft.cause, sources)) if draft.cause else None
    around = _Around(place, tuple(_further(draft, sources)), causes)
    lines = _lines(draft, around, runs)
    faults = [_fault(sentence, runs, lines) for sentence in draft.sentences]
    if all(faults):
        return "; ".join(faults)
    said = [s for s, why in zip(draft.sentences, faults, strict=True) if not why]
    if faults[0] and _is_lost(draft.sentences[0], said, runs):
        return f"its first sentence is struck: {faults[0]}"
    held = _held(draft, said, runs)
    if not held and (false := _false(runs)):
        return f"no check of it holds; {false.claim}: {false.detail}"
    cited = {i for sentence in draft.sentences for i in sentence.evidence}
    struck = [
        *(sober.struck(s.text, why) for s, why in zip(draft.sentences, faults, strict=True) if why),
        *(r.receipt for i, r in enumerate(runs) if i not in cited and r.receipt and not r.receipt.ok),
    ]
    failure = " ".join(corrected(sentence.text, lines) for sentence in said)
    return _checked(draft.candidate._replace(failure=failure), around, held, lines, struck, sources)


def _run(claim: Claim, sources: Sources, meter: Meter) -> _Run:
    try:
        return _Run(claim, run(claim, sources, meter))
    except UsageError as error:
        return _Run(claim, None, str(error))


def _false(runs: Sequence[_Run]) -> Receipt | None:
    return next((r.receipt for r in runs if r.receipt and not r.receipt.ok), None)


def _fault(sentence: Sentence, runs: Sequence[_Run], lines: Lines) -> str:
    """Why a sentence is struck, or ""."""
    if any(not 0 <= i < len(runs) for i in sentence.evidence):
        return "it rests on evidence that is not given"
    cited = [runs[i] for i in sentence.evidence]
    if false := _false(cited):
        return f"{false.claim}: {false.detail}"
    if unread := next((r for r in cited if r.receipt is None), None):
        return f"its check could not be run: {unread.why}"
    return sober.fault(sentence.text, [r.claim for r in cited], lines)


def _is_lost(core: Sentence, said: Sequence[Sentence], runs: Sequence[_Run]) -> bool:
    """Whether a struck first sentence takes the candidate with it: all but where one check of it is false,
    another one holds, and so does what it says next."""
    own = _cited(core, runs)
    proven = any(run.holds for sentence in said for run in _cited(sentence, runs))
    return not (_false(own) and any(run.holds for run in own) and proven)


def _cited(sentence: Sentence, runs: Sequence[_Run]) -> list[_Run]:
    return [runs[i] for i in sentence.evidence if 0 <= i < len(runs)]


def _held(draft: Draft, said: Sequence[Sentence], runs: Sequence[_Run]) -> list[_Run]:
    """The evidence that what is said rests on, and that of which nothing is said. Where a finding gives
    none, its own quote bears it."""
    cited = {i for sentence in draft.sentences for i in sentence.evidence}
    needed = {i for sentence in said for i in sentence.evidence}
    return [r for i, r in enumerate(runs) if i in needed or (i not in cited and r.holds)]


def _checked(
    stated: Candidate,
    around: _Around,
    held: Sequence[_Run],
    lines: Lines,
    struck: Sequence[Receipt],
    sources: Sources,
) -> Checked:
    """A candidate whose `failure` holds. What was struck stands behind its receipts: it does not hold."""
    place, counted = around.place, [r.claim for r in held]
    title, cost = (sober.told(text, counted, lines) for text in (stated.title, stated.cost))
    fix = sober.ordered(stated.fix, counted, lines)
    held_by = (place.receipt, *(r.receipt for r in held if r.receipt))
    receipts = (*held_by, *struck, *title.struck, *cost.struck, *fix.struck)
    touched = [site for site in around.causes or () if sources.changes(site)][:1]
    also = dict.fromkeys((*place.others, *around.further, *touched))
    whole = stated._replace(
        title=title.text or stated.slug.replace("-", " ").capitalize(),
        site=place.site,
        cost=cost.text,
        fix=fix.text,
        also=tuple(site for site in also if not overlap(site, place.site)),
        edit=placed(stated.edit, stated.site, place),
        claims=tuple(counted),
    )
    old = not any(map(sources.changes, (place.site, *place.others, *touched)))
    aside = f"{len(place.others) + 1} candidates for its place" if place.others else ""
    if old and around.causes == ():
        aside = "its cause could not be placed"
    return Checked(whole, tuple(dict.fromkeys(receipts)), preexisting=old, aside=aside)


def _lines(draft: Draft, around: _Around, runs: Sequence[_Run]) -> Lines:
    """Where that stands of which the finding speaks, and where it was said to stand."""
    stated, place = draft.candidate.site, around.place
    sites = (place.site, *place.others, *around.further, *(around.causes or ()))
    known = {(site.path, n) for site in sites for n in range(site.start_line, site.line + 1)}
    moves = _moves(stated, place.site.start_line) if not place.others else {}
    for claim, receipt, _ in runs:
        if not (receipt and receipt.ok):
            continue
        if receipt.line:
            own = Site(receipt.path, claim.line or 0, (claim.line or 0) + claim.pattern.count("\n"), "")
            if claim.line and own.start_line != receipt.line:
                moves |= _moves(own, receipt.line)
            known |= {(receipt.path, receipt.line + n) for n in range(claim.pattern.count("\n") + 1)}
        else:
            known |= set(named_places(receipt))
    return Lines(place.site.path, {at: n for at, n in moves.items() if at not in known}, frozenset(known))


def _moves(stated: Site, start: int) -> dict[tuple[str, int], int]:
    """Each stated line of a quote -> the one at which it stands."""
    if not stated.start_line or stated.start_line == start:
        return {}
    return {
        (stated.path, n): start + n - stated.start_line for n in range(stated.start_line, stated.line + 1)
    }


def _further(draft: Draft, sources: Sources) -> Iterator[Site]:
    """The other places that are certain, or stand where they are said to: they decide nothing."""
    for stated in draft.candidate.also:
        place = anchor(stated, sources)
        if isinstance(place, Place) and (not place.others or place.site.start_line == stated.start_line):
            yield place.site


def _places(cause: Site, sources: Sources) -> list[Site]:
    """All places of what makes it new: a line that was added, or taken away (law 5)."""
    places = (anchor(cause._replace(side=side), sources) for side in Side)
    return [site for place in places if isinstance(place, Place) for site in (place.site, *place.others)]
