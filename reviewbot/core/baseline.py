"""The debts that are known: what an audit found once, so that what comes later stands out."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from reviewbot.core.baselinefile import Known
from reviewbot.core.gates import failure
from reviewbot.core.report.words import count
from reviewbot.core.types import Finding, GateResult, GateStatus, Origin, Review, Side
from reviewbot.core.visible import name

NAMED = 5  # stale entries, in the verdict line
Key = tuple[str, str, str]  # path, fingerprint, failure


class Compared(NamedTuple):
    """`review` with what is known counted aside; `stale` are the entries that nothing stands for any more,
    `unjudged` those of which this audit cannot tell."""

    review: Review
    known: int
    stale: tuple[Known, ...]
    unjudged: tuple[Known, ...]


def compare(
    review: Review, entries: Sequence[Known], *, everything: bool, within: Collection[str]
) -> Compared:
    """What an audit found against what is known. `everything`: whether all files and all skills were asked
    for; else only those at `within` were."""
    known: dict[Key, int] = {}
    for e in entries:
        known[_key(e)] = max(e.places, known.get(_key(e), 0))
    keys = [_key(e) for e in entries_of(review)]
    told = (
        f._replace(preexisting=True, placement="table") if _places(f) <= known.get(key, 0) else f
        for f, key in zip(review.findings, keys, strict=True)
    )
    findings = tuple(sorted(told, key=lambda f: f.preexisting))  # what is known behind what is new
    found = set(keys)
    left = [e for e in entries if _key(e) not in found]
    judge = _Judge(review, everything, within)
    stale = tuple(e for e in left if judge.can_tell(e))
    unjudged = tuple(e for e in left if e not in set(stale))
    counted = sum(f.preexisting for f in findings)
    return Compared(review._replace(findings=findings), counted, stale, unjudged)


class _Judge:
    """Whether an audit would have found something again, were it still there."""

    def __init__(self, review: Review, everything: bool, within: Collection[str]) -> None:
        self._left = {u.path for u in review.uncovered} | {i.what for i in review.incomplete}
        self._everything, self._within = everything, within
        self._model = bool(review.reader)
        self._looked = {c.slug for c in review.checked if c.result != "not-checked"}
        self._named = {c.slug for c in review.checked}

    def can_tell(self, entry: Known) -> bool:
        if entry.model and not self._model:
            return False
        if entry.path not in self._within:
            return self._everything
        if entry.path in self._left:
            return False
        return entry.slug in self._looked or (self._everything and entry.slug not in self._named)


def entries_of(review: Review) -> Iterator[Known]:
    """An entry for each finding, in their order."""
    failed = [g for g in review.gates if g.run.executes and g.status is GateStatus.FAILED]
    failed = [g for g in failed if g.run.side is Side.RIGHT]
    for f in review.findings:
        c = f.candidate
        how = _failure(f, failed) if c.origin is Origin.GATE else ""
        yield Known(c.site.path, c.slug, f.fingerprint, _places(f), c.origin is Origin.MODEL, how)


def _failure(finding: Finding, failed: Sequence[GateResult]) -> str:
    """How the gates failed that a finding is of; "" for one that only parses."""
    lines = {claim.pattern for claim in finding.candidate.claims if claim.kind == "run"}
    commands = {g.run.spec.argv for g in failed if g.run.spec.line in lines}
    how = sorted({failure(g) for g in failed if g.run.spec.argv in commands})
    return hashlib.sha256("".join(how).encode("ascii")).hexdigest()[:16] if how else ""


def _places(finding: Finding) -> int:
    return 1 + len(finding.candidate.also)


def _key(entry: Known) -> Key:
    return entry.path, entry.fingerprint, entry.failure


def stale_text(stale: Sequence[Known], path: str) -> str:
    """For the verdict line; "" for none."""
    if not stale:
        return ""
    named = ", ".join(map(entry_text, stale[:NAMED]))
    more = f" and {len(stale) - NAMED:,} more" if len(stale) > NAMED else ""
    noun = count(len(stale), "entry of", "entries of")
    return f"{noun} {path} stand{'s' if len(stale) == 1 else ''} for nothing any more: {named}{more}"


def entry_text(entry: Known) -> str:
    return f"{name(entry.path)} ({name(entry.slug)} {entry.fingerprint[:8]})"
