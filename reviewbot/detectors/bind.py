"""Which detector speaks for which class of a skill, decided by the words of the class alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from reviewbot.core.ledger import Bound
from reviewbot.core.types import Assignment, DefectClass, Skill
from reviewbot.detectors import DETECTORS
from reviewbot.detectors.contract import Detector

NEEDED = 3  # points; one strong pattern in a title (weight 2, doubled) is enough, a stray word never


class Binding(NamedTuple):
    """A detector reports its hits under `defect` of `skill`, because these words stand there."""

    detector: Detector
    skill: Skill
    defect: DefectClass
    because: tuple[str, ...]


class Bindings(NamedTuple):
    """All bindings of a review, and those for each changed file."""

    all: tuple[Binding, ...]
    of: Mapping[str, Sequence[Binding]]  # path -> bindings

    def bound(self, looked: Mapping[tuple[str, str], int], sure: bool) -> Bound:
        by: dict[tuple[str, str], list[str]] = defaultdict(list)
        for b in self.all:
            by[b.skill.name, b.defect.slug].append(b.detector.id)
        partial = {(b.skill.name, b.defect.slug) for b in self.all if not b.detector.complete}
        return Bound(by, by.keys() - partial, looked, sure)


def bind_all(assignments: Sequence[Assignment]) -> Bindings:
    of: dict[str, list[Binding]] = defaultdict(list)
    bindings = {a.skill.name: bind(a.skill, DETECTORS.values()) for a in assignments}
    rows = [b for own in bindings.values() for b in own]
    for a in assignments:
        for path in a.paths:
            of[path] += bindings[a.skill.name]
    return Bindings(tuple(rows), of)


def bind(skill: Skill, detectors: Iterable[Detector]) -> tuple[Binding, ...]:
    """Each detector with the one class that its words fit best; a tie goes to the dearer class."""
    bindings = []
    for detector in detectors:
        scored = [
            (*_score(detector, c), c)
            for c in sorted(skill.classes, key=lambda c: c.rank)
            if c.kind == "defect"
        ]
        if scored:
            points, because, best = max(scored, key=lambda s: s[0])  # max keeps the first of equals
            if points >= NEEDED:
                bindings.append(Binding(detector, skill, best, because))
    return tuple(bindings)


def _score(detector: Detector, defect: DefectClass) -> tuple[int, tuple[str, ...]]:
    points, because = 0, []
    for word in detector.words:
        for text, factor in ((defect.title, 2), (f"{defect.body}\n{defect.fix}", 1)):
            if found := re.search(word.pattern, text, re.IGNORECASE):
                points += word.weight * factor
                because.append(" ".join(found.group().split()))
                break
    return points, tuple(because)
