"""One finding for each root cause, whoever saw it, and as sure as all readings together are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from reviewbot.core.ask.anchor import overlap
from reviewbot.core.patterns import pattern
from reviewbot.core.types import Candidate, ModelTerms, Origin, Rejection, Site
from reviewbot.core.verify import Checked, best_first, normal

PASSES = 3  # from which on less is asked: who was seen by some readings only has a lower mean
LESS = 5  # percent
_SHARED = 0.5  # of the lines of two quotes, from which on they flag one statement
# Of the words of the shorter of two claims, from which on they say the same. In the trial of tests/readings
# two readers who meant the same shared 0.52 and more, and two who did not at most 0.37.
_SAID = 0.45
_WORD = pattern(r"\w{4,}")


class Merged(NamedTuple):
    """Each candidate is in `checked` or in `rejections`."""

    checked: tuple[Checked, ...]
    rejections: tuple[Rejection, ...]


def merge_passes(
    found: Iterable[tuple[int, Checked]], answered: Mapping[str, int], terms: ModelTerms
) -> Merged:
    """What readings of the same code through several lenses found, one of each root cause. `found` has the
    lens of each; `answered`: through how many each class was looked at.

    Its confidence is the mean over these, where a reading that did not see it counts as 0. Too low, and it
    is rejected; not high enough for a comment, and it stands aside.
    """
    groups: list[list[tuple[int, Checked]]] = []
    for n, c in sorted(found, key=lambda row: _surest_first(row[1])):
        own = next((g for g in groups if any(kinship(c.candidate, o.candidate) for _, o in g)), None)
        if own is None:
            groups.append(own := [])
        own.append((n, c))
    kept: list[Checked] = []
    rejections: list[Rejection] = []
    for group in groups:
        (_, lead), *rest = group
        for _, other in rest:
            lead = _joined(lead, other)
            rejections.append(_duplicate(other, lead))
        passes = max(answered.get(lead.candidate.slug, 0), len({lens for lens, _ in group}))
        lead = _with_mean(lead, group, passes)
        if lead.candidate.confidence < terms.table_confidence:
            rejections.append(_unsure(lead, terms.table_confidence))
        else:
            kept.append(_aside(lead, terms, passes))
    return Merged(tuple(kept), tuple(rejections))


def join(certain: Sequence[Checked], claimed: Sequence[Checked]) -> Merged:
    """The findings of detectors and gates with those of a model. One that the former have already, at the
    same place, adds its receipts there; of two of the model the surer one stays.

    What is new never goes into what is old: it would decide nothing there (law 5).
    """
    joined = list(certain)
    by_path: dict[str, list[int]] = defaultdict(list)
    for i, c in enumerate(joined):
        by_path[c.candidate.site.path].append(i)
    rejections: list[Rejection] = []
    for c in sorted(claimed, key=_surest_first):
        near = dict.fromkeys(i for site in _places(c.candidate) for i in by_path[site.path])
        at = max(near, key=lambda i: _takes(joined[i], c), default=-1)
        if at < 0 or not _takes(joined[at], c):
            by_path[c.candidate.site.path].append(len(joined))
            joined.append(c)
        else:
            joined[at] = _joined(joined[at], c)
            rejections.append(_duplicate(c, joined[at]))
    return Merged(tuple(joined), tuple(rejections))


def kinship(one: Candidate, other: Candidate) -> int:
    """Whether two candidates speak of one root cause: 2 for the same class at the same place, or for one
    statement of which both say the same; 1 for the same class in the same words elsewhere in the file."""
    if one.slug != other.slug:
        return 2 if _one_statement(one.site, other.site) and _say_the_same(one, other) else 0
    if any(overlap(a, b) for a in _places(one) for b in _places(other)):
        return 2
    return int(_words(one.site) == _words(other.site))


def _takes(lead: Checked, c: Checked) -> int:
    """How surely `lead` has the root cause of `c` already. A detector or a gate has it only at the place
    itself: what a model says of other places wants a second reading."""
    mine, theirs = lead.candidate, c.candidate
    if lead.preexisting and not c.preexisting:
        return 0
    if mine.origin is not Origin.MODEL and not any(overlap(site, theirs.site) for site in _places(mine)):
        return 0
    return kinship(mine, theirs)


def _places(candidate: Candidate) -> tuple[Site, ...]:
    return (candidate.site, *candidate.also)


def _words(site: Site) -> tuple[str, str]:
    return site.path, normal(site.quote)


def _one_statement(one: Site, other: Site) -> bool:
    a, b = ({normal(line) for line in site.quote.split("\n")} - {""} for site in (one, other))
    return overlap(one, other) and len(a & b) > _SHARED * len(a | b)


def _say_the_same(one: Candidate, other: Candidate) -> bool:
    a, b = (set(_WORD.findall(f"{c.title} {c.failure}".lower())) for c in (one, other))
    return len(a & b) > _SAID * min(len(a), len(b))


def _joined(lead: Checked, other: Checked) -> Checked:
    """`lead` with what only `other` has: receipts, an edit and, if a model made both, places."""
    mine, theirs = lead.candidate, other.candidate
    known = _places(mine)
    more = _places(theirs) if mine.origin is Origin.MODEL else ()
    also = (*mine.also, *(site for site in more if not any(overlap(site, one) for one in known)))
    return lead._replace(
        candidate=mine._replace(also=also, edit=mine.edit or theirs.edit),
        receipts=tuple(dict.fromkeys((*lead.receipts, *(r for r in other.receipts if r.ok)))),
    )


def _with_mean(lead: Checked, group: Sequence[tuple[int, Checked]], passes: int) -> Checked:
    best: dict[int, int] = {}
    for n, c in group:
        best[n] = max(best.get(n, 0), c.candidate.confidence)
    mean = round(sum(best.values()) / passes)
    return lead._replace(candidate=lead.candidate._replace(confidence=mean))


def _aside(c: Checked, terms: ModelTerms, passes: int) -> Checked:
    asked = terms.inline_confidence - (LESS if passes >= PASSES else 0)
    if c.aside or c.candidate.confidence >= asked:
        return c
    return c._replace(aside=f"confidence {c.candidate.confidence}, a comment asks for {asked}")


def _unsure(c: Checked, asked: int) -> Rejection:
    return Rejection(c.candidate, "low-confidence", f"confidence {c.candidate.confidence}, {asked} is asked")


def _duplicate(c: Checked, lead: Checked) -> Rejection:
    site = lead.candidate.site
    who = lead.candidate.detector or lead.candidate.slug
    return Rejection(c.candidate, "duplicate", f"one root cause with {who} at {site.path}:{site.start_line}")


def _surest_first(c: Checked) -> tuple[bool, int, tuple[int, int, int, str, int]]:
    """The new ones first: one that says why it is new speaks for those that do not."""
    return c.preexisting, -c.candidate.confidence, best_first(c.candidate)
