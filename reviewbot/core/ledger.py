"""What was planned, what was done, and what was not (laws 1 and 2)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from reviewbot.core.gates import faults, untold
from reviewbot.core.language import language
from reviewbot.core.types import (
    ABSENT,
    Assignment,
    Candidate,
    Change,
    ClassResult,
    DefectClass,
    Finding,
    GateResult,
    GateStatus,
    Incomplete,
    Origin,
    Rejection,
    Scope,
    Skill,
    SkillOrigin,
    Skills,
    Texts,
    Uncovered,
)

NOTHING = "neither a defect class nor a gate was understood in it, so nothing was looked for"
UNREAD = "in scope, but no detector and no gate reads it"
MODEL = "model"  # among what looked for a class
UNTOLD = "new and old cannot be told apart"
_SHOWN = 5  # programs that one message names
_UNDONE = (GateStatus.MISSING, GateStatus.TIMEOUT, GateStatus.REFUSED)
_RAN = (GateStatus.PASSED, GateStatus.FAILED)
ClassKey = tuple[str, str]  # skill name, class slug


def suspects(candidates: Iterable[Candidate], gates: Iterable[GateResult]) -> set[str]:
    """The head paths whose base side is worth reading: only there can something be old."""
    named = {fault.path for gate in gates if gate.base is None for fault in faults(gate)}
    return {c.site.path for c in candidates if c.detector} | named - {""}


def shortfalls(
    skills: Skills,
    head: Texts,
    base: Texts,
    read: Set[str],
    failures: Iterable[Incomplete],
    gates: Sequence[GateResult],
) -> tuple[Incomplete, ...]:
    """Everything planned that was not done; empty if and only if the review is whole."""
    return tuple(
        dict.fromkeys(
            [
                *(Incomplete("skill", d.path, str(d)) for d in skills.failed),
                *(Incomplete("skill", s.path, NOTHING) for s in skills.active if _asked_in_vain(s)),
                *(Incomplete("scope", path, why) for path, why in head.unread.items()),
                *_unlooked(head, read),
                *failures,
                *(
                    Incomplete("verify", _command(g), f"{untold(g, g.base)}: {UNTOLD}")
                    for g in gates
                    if g.status is GateStatus.FAILED and g.blame == "unknown"
                ),
                *(
                    Incomplete("gate", _command(g), g.reason or g.status)
                    for g in gates
                    if g.status in _UNDONE
                ),
                *(
                    Incomplete("verify", path, f"base is not readable ({why}): {UNTOLD}")
                    for path, why in base.unread.items()
                    if why != ABSENT
                ),
            ]
        )
    )


def noted(change: Change, foreign: Mapping[str, Mapping[str, int]], unparsed: Iterable[Incomplete]) -> Change:
    """The change with what was noticed in its files; where base itself does not parse, everything at
    head counts as new. `foreign`: path -> program -> `run:` blocks for it."""
    old = (f"{i.what} did not parse at base, so all of it counts as new" for i in unparsed)
    programs = sum(map(Counter, foreign.values()), Counter[str]())
    return change._replace(notes=(*change.notes, *_foreign(programs), *dict.fromkeys(old)))


def _foreign(programs: Counter[str]) -> Iterable[str]:
    """The note on scripts for other programs than a shell, if there are any."""
    if programs:
        named = [f"{count} for {program}" for program, count in programs.most_common(_SHOWN)]
        rest = programs.total() - sum(count for _, count in programs.most_common(_SHOWN))
        more = [f"{rest} for others"] if rest else []
        yield f"`run:` blocks that no detector reads: {', '.join([*named, *more])}"


def sure(head: Texts, faults: Collection[Incomplete]) -> bool:
    """Whether every detector could read all of every file."""
    return not faults and not any(text.partial for text in head.files.values())


def gated(gates: Iterable[GateResult], scope: Scope) -> set[str]:
    """The paths that some gate read: one that is missing, refused or out of time has read nothing. What one
    that executes has read nobody knows; its author says that it checks the files of its skill, no others."""
    ran = [gate for gate in gates if gate.status in _RAN]
    vouching = {gate.run.skill for gate in ran if gate.run.executes}
    own = {path for a in scope.assignments if a.skill.name in vouching for path in a.paths}
    return {text.path for gate in ran for text in gate.run.files} | own


def _unlooked(head: Texts, read: Set[str]) -> list[Incomplete]:
    """A review in which nothing at all was read is none. That a detector needs more than the hunks of
    a patch is said apart, and no shortfall."""
    left = [p for p, text in head.files.items() if not (text.partial and language(p, text.first_line))]
    if not left or not read.isdisjoint(head.files):
        return []
    return [Incomplete("scope", ", ".join(left[:3]) + (", …" if len(left) > 3 else ""), UNREAD)]


def uncovered(scope: Scope, head: Texts, read: Set[str]) -> tuple[Uncovered, ...]:
    """The changed files that nobody looked at: out of scope, not readable, or of a kind that no
    detector and no gate reads. `read` names those that one did."""
    return (
        *scope.uncovered,
        *(Uncovered(path, why) for path, why in head.unread.items()),
        *(Uncovered(path, UNREAD) for path in head.files if path not in read),
    )


class Bound(NamedTuple):
    """What the detectors did. `complete` names the classes all of whose detectors find every case."""

    by: Mapping[ClassKey, Sequence[str]]  # the ids of the detectors and rules bound to a class
    complete: Collection[ClassKey]
    looked: Mapping[tuple[str, str, str], set[str]]  # skill, class slug, id -> the files it read
    sure: bool  # whether all of them could read all of every file


def classes(
    scope: Scope,
    bound: Bound,
    said: Mapping[ClassKey, Mapping[str, str]],
    findings: Iterable[Finding],
    rejections: Iterable[Rejection],
) -> tuple[ClassResult, ...]:
    """One row for each defect class of each skill that claims a changed file. `said` is what a model says
    of the files that it read for a class.

    A finding that two skills claim stands under one of them, and makes the class `found` in both. A class
    is `held` only where complete detectors read everything and said nothing that was rejected, or a model
    has followed it through every file.
    """
    found, doubted = _places(f.candidate for f in findings), _places(r.candidate for r in rejections)

    def row(a: Assignment, c: DefectClass) -> ClassResult:
        key = (a.skill.name, c.slug)
        own, paths = said.get(key, {}), frozenset(a.paths)
        ids = bound.by.get(key, ())
        read = {id: files for id in ids if (files := bound.looked.get((*key, id)))}
        looked = set(own).union(*read.values())
        words = set(own.values())
        names = (*(("detector", id) for id in ids), (MODEL, c.slug))
        if any(paths & found[one] for one in names):
            result = "found"
        elif not ids and not own:
            result = "not-checked"
        elif not looked or (words == {"not-applicable"} and not read):
            result = "not-applicable"
        else:
            sure = bound.sure and key in bound.complete
            held = (sure or (words == {"held"} and paths <= set(own))) and not any(
                paths & doubted[one] for one in names
            )
            result = "held" if held else "nothing-found"
        by = (*(read or ids), MODEL) if own or paths & found[MODEL, c.slug] else tuple(read or ids)
        return ClassResult(a.skill.name, c.slug, c.title, len(looked), result, by)

    claiming = (a for a in scope.assignments if a.paths)
    return tuple(row(a, c) for a in claiming for c in a.skill.classes if c.kind == "defect")


def _places(candidates: Iterable[Candidate]) -> Mapping[tuple[str, str], set[str]]:
    """The paths that each detector named, and those of a model for each class."""
    places: dict[tuple[str, str], set[str]] = defaultdict(set)
    for c in candidates:
        who = (MODEL, c.slug) if c.origin is Origin.MODEL else ("detector", c.detector or "")
        places[who].add(c.site.path)
    return places


def _asked_in_vain(skill: Skill) -> bool:
    return skill.origin is SkillOrigin.PATH and not (skill.classes or skill.gates)


def _command(gate: GateResult) -> str:
    """What ran, or the skill's own line where that names many files."""
    one = " ".join(gate.command) if len(gate.run.files) <= 1 else ""
    return one or gate.run.spec.line
