"""What became of a skill's own tests: each case against its review, and the sums for each class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from reviewbot.core.skill.cases import Case, Expected
from reviewbot.core.types import DefectClass, Finding, Incomplete, Origin, Review, Skill


class Outcome(NamedTuple):
    """One case. Every expected finding is found, missed, or left to a model."""

    case: Case
    found: tuple[Expected, ...]
    missed: tuple[Expected, ...]
    for_model: tuple[Expected, ...]  # not found, and the case says that only a model can
    false_alarms: tuple[Finding, ...]
    incomplete: tuple[Incomplete, ...] = ()
    unclaimed: Mapping[str, str] = MappingProxyType({})  # the files of head out of scope, and why
    claimed: bool = True  # whether any is in scope


class Row(NamedTuple):
    """The sums of one class. A case without an expected finding of the class is a clean one for it."""

    skill: Skill
    defect: DefectClass
    positive: int  # cases
    clean: int
    found: int  # findings, as are the rest
    missed: int
    false_alarms: int
    for_model: int


class Failure(NamedTuple):
    skill: str
    case: str  # "" where it is about all cases of a class
    slug: str
    kind: str  # "missed" | "false-alarm" | "incomplete" | "out-of-scope" | "too-few-cases"
    place: str  # "run.sh:4"
    what: str  # one sentence
    source: str = ""  # "…/expect.toml:3"


class SkillTests(NamedTuple):
    """The tests of some skills. With `needed`, a class with fewer positive or fewer clean cases fails."""

    skills: tuple[Skill, ...]
    outcomes: tuple[Outcome, ...]
    needed: int = 0

    @property
    def verdict(self) -> str:
        """One of passed, failed, incomplete (a review was not whole) and untested (there is no case)."""
        if any(o.incomplete for o in self.outcomes):
            return "incomplete"
        if any(self.failures()):
            return "failed"
        return "passed" if self.outcomes else "untested"

    def rows(self) -> Iterator[Row]:
        """One for each class of each skill, in the order of the skill."""
        for skill in self.skills:
            own = [o for o in self.outcomes if o.case.skill == skill]
            for defect in skill.classes:
                yield _row(skill, defect, own)

    def failures(self) -> Iterator[Failure]:
        for outcome in self.outcomes:
            yield from _failures(outcome)
        for row in self.rows():
            if why := _too_few(row, self.needed):
                yield Failure(row.skill.name, "", row.defect.slug, "too-few-cases", "", why)


def compare(case: Case, review: Review) -> Outcome:
    """New findings of detectors and rules count, hints too; those of gates where `case.gates` says so."""
    came = [f for f in review.findings if not f.preexisting and _counts(f, case)]
    found, absent = [], []
    for expected in sorted(case.expected, key=lambda e: e.line is None):  # the choosy ones first
        match = next((f for f in came if _fits(f, expected)), None)
        if match is None:
            absent.append(expected)
        else:
            came.remove(match)
            found.append(expected)
    missed, for_model = ([], absent) if case.needs_model else (absent, [])
    return Outcome(
        case,
        tuple(found),
        tuple(missed),
        tuple(for_model),
        tuple(came),
        review.incomplete,
        {u.path: u.reason for u in review.scope.uncovered},
        bool(review.scope.paths),
    )


def _counts(finding: Finding, case: Case) -> bool:
    return finding.candidate.origin is Origin.DETECTOR or finding.candidate.slug in case.gates


def _fits(finding: Finding, expected: Expected) -> bool:
    c = finding.candidate
    same = (c.slug, c.site.path) == (expected.slug, expected.path)
    return same and expected.line in (None, c.site.start_line)


def _row(skill: Skill, defect: DefectClass, outcomes: Sequence[Outcome]) -> Row:
    own = {c.slug for c in skill.classes}

    def of_class(outcome: Outcome, slug: str) -> bool:
        """What a gate says belongs to the first class that its case is about."""
        return (slug if slug in own else outcome.case.classes[0].slug) == defect.slug

    about = [o for o in outcomes if defect in o.case.classes]
    positive = sum(any(of_class(o, e.slug) for e in o.case.expected) for o in about)
    return Row(
        skill,
        defect,
        positive,
        len(about) - positive,
        sum(of_class(o, e.slug) for o in outcomes for e in o.found),
        sum(of_class(o, e.slug) for o in outcomes for e in o.missed),
        sum(of_class(o, f.candidate.slug) for o in outcomes for f in o.false_alarms),
        sum(of_class(o, e.slug) for o in outcomes for e in o.for_model),
    )


def _failures(outcome: Outcome) -> Iterator[Failure]:
    case = outcome.case
    name = (case.skill.name, case.name)
    alarms = [f.candidate for f in outcome.false_alarms]
    for expected in outcome.missed:
        near = [f"{c.slug} at {_place(c.site.path, c.site.start_line)}" for c in alarms]
        came = f"what came: {', '.join(near)}" if near else "nothing came"
        came = outcome.unclaimed.get(expected.path, came)
        place = _place(expected.path, expected.line)
        what = f"expected {expected.slug} at {place}; {came}"
        yield Failure(*name, expected.slug, "missed", place, what, f"{case.path}:{expected.at}")
    for c in alarms:
        place = _place(c.site.path, c.site.start_line)
        what = (
            f"{c.detector or c.slug} ({c.grade}) said {c.slug} at {place}, which is not expected: {c.failure}"
        )
        yield Failure(*name, c.slug, "false-alarm", place, what, case.path)
    if not (outcome.claimed or outcome.missed):
        path, why = next(iter(outcome.unclaimed.items()), ("head/", "it does not differ from base/"))
        what = f"nothing of this case was looked at: {path}: {why}"
        yield Failure(*name, case.classes[0].slug, "out-of-scope", path, what, case.path)
    for i in outcome.incomplete:
        what = f"the review is not whole: {i.stage}: {i.what}: {i.why}"
        yield Failure(*name, case.classes[0].slug, "incomplete", i.what, what, case.path)


def _place(path: str, line: int | None) -> str:
    return path if line is None else f"{path}:{line}"


def _too_few(row: Row, needed: int) -> str:
    """A class that says what is never reported can have clean cases alone."""
    wanted = [("clean", row.clean)]
    if row.defect.kind == "defect":
        wanted.insert(0, ("positive", row.positive))
    short = [f"{count} {kind}" for kind, count in wanted if count < needed]
    return f"has {' and '.join(short)} of {needed} cases" if short else ""
