"""Which detector speaks for which class of a skill: decided by the words of the class, or by a pin."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_letters
from typing import NamedTuple

from reviewbot.core.errors import nearest
from reviewbot.core.ledger import Bound
from reviewbot.core.skill.front.pins import ALL
from reviewbot.core.types import Assignment, DefectClass, Diagnostic, Skill
from reviewbot.detectors import DETECTORS
from reviewbot.detectors.contract import Detector

NEEDED = 3  # points; one strong pattern in a title (weight 2, doubled) is enough, a stray word never


class Binding(NamedTuple):
    """A detector reports its hits under `defect` of `skill`."""

    detector: Detector
    skill: Skill
    defect: DefectClass
    because: tuple[str, ...]  # for people: '"argument hole" in the title', "pinned in line 5"


class Bindings(NamedTuple):
    """All bindings of a review, and those for each changed file."""

    all: tuple[Binding, ...]
    of: Mapping[str, Sequence[Binding]]  # path -> bindings

    def bound(self, looked: Mapping[tuple[str, str, str], set[str]], sure: bool) -> Bound:
        by: dict[tuple[str, str], list[str]] = defaultdict(list)
        for b in self.all:
            by[b.skill.name, b.defect.slug].append(b.detector.id)
        partial = {(b.skill.name, b.defect.slug) for b in self.all if not b.detector.complete}
        return Bound(by, by.keys() - partial, looked, sure)


def bind_all(assignments: Sequence[Assignment]) -> Bindings:
    of: dict[str, list[Binding]] = defaultdict(list)
    bindings = {a.skill.name: bind(a.skill, DETECTORS.values()) for a in assignments if a.paths}
    rows = [b for own in bindings.values() for b in own]
    for a in assignments:
        for path in a.paths:
            of[path] += bindings[a.skill.name]
    return Bindings(tuple(rows), of)


def bind(skill: Skill, detectors: Iterable[Detector]) -> tuple[Binding, ...]:
    """Each detector with the class that it is pinned to, else with the one that its words fit best; a
    tie goes to the dearer class. One that is switched off has none."""
    pins = {pin.detector: pin for pin in skill.pins}
    bindings = []
    for detector in detectors:
        if pin := pins.get(detector.id, pins.get(ALL)):
            pinned = (c for c in skill.classes if c.slug == pin.slug)
            bindings += [Binding(detector, skill, c, (f"pinned in line {pin.line}",)) for c in pinned]
        elif best := _best(detector, skill):
            bindings.append(Binding(detector, skill, *best))
    return tuple(bindings)


def unknown_pins(skill: Skill) -> tuple[Diagnostic, ...]:
    """An error for each pin of a detector that there is not."""
    return tuple(
        Diagnostic(
            skill.path,
            pin.line,
            1,
            "S013",
            "error",
            f"no detector is called `{pin.detector[:80]}`; {nearest(pin.detector, DETECTORS)}",
        )
        for pin in skill.pins
        if pin.detector not in DETECTORS and pin.detector != ALL
    )


def _best(detector: Detector, skill: Skill) -> tuple[DefectClass, tuple[str, ...]] | None:
    """The class that the words fit best, if they do, and what was found of them."""
    classes = sorted((c for c in skill.classes if c.kind == "defect"), key=lambda c: c.rank)
    scored = [(*_score(detector, c), c) for c in classes]
    points, because, best = max(scored, key=lambda s: s[0], default=(0, (), None))  # the first of equals
    return (best, because) if best and points >= NEEDED else None


def _score(detector: Detector, defect: DefectClass) -> tuple[int, tuple[str, ...]]:
    points, because = 0, []
    for word in detector.words:
        for text, factor, where in ((defect.title, 2, "title"), (f"{defect.body}\n{defect.fix}", 1, "text")):
            if found := re.search(word.pattern, text, re.IGNORECASE):
                points += word.weight * factor
                because.append(f"{_quoted(found)} in the {where}")
                break
    return points, tuple(dict.fromkeys(because))


def _quoted(found: re.Match[str]) -> str:
    """What was found, as whole words and whole code spans; in backticks if it is a part of one."""
    text, (start, end) = found.string, found.span()
    start = len(text[:start].rstrip(ascii_letters))
    end = len(text) - len(text[end:].lstrip(ascii_letters))
    in_span = text.count("`", 0, start) % 2 == 1
    if text.count("`", start, end) % 2:
        start = text.rfind("`", 0, start) if in_span else start
        end = end if in_span else text.find("`", end) + 1 or end
    words = " ".join(text[start:end].split())
    if "`" in words.strip("`") or not (in_span or words.startswith("`")):
        return f'"{words}"'
    return f"`{words.strip('`')}`"
