"""What was planned, what was done, and what was not (laws 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reviewbot.core.gates import faults
from reviewbot.core.types import (
    ABSENT,
    Candidate,
    Checked,
    Finding,
    GateResult,
    GateStatus,
    Incomplete,
    Scope,
    Skills,
    Texts,
    Uncovered,
)

_UNDONE = (GateStatus.MISSING, GateStatus.TIMEOUT, GateStatus.REFUSED)
ClassKey = tuple[str, str]  # skill name, class slug


def suspects(candidates: Iterable[Candidate], gates: Iterable[GateResult]) -> set[str]:
    """The head paths whose base side is worth reading: only there can something be old."""
    named = {fault.path for gate in gates for fault in faults(gate)}
    return {c.site.path for c in candidates if c.detector} | named - {""}


def shortfalls(
    skills: Skills, head: Texts, base: Texts, failures: Iterable[Incomplete], gates: Iterable[GateResult]
) -> tuple[Incomplete, ...]:
    """Everything planned that was not done; empty if and only if the review is whole."""
    return tuple(
        dict.fromkeys(
            [
                *(Incomplete("skill", d.path, str(d)) for d in skills.failed),
                *(Incomplete("scope", path, why) for path, why in head.unread.items()),
                *failures,
                *(
                    Incomplete("gate", _command(g), g.reason or g.status)
                    for g in gates
                    if g.status in _UNDONE
                ),
                *(
                    Incomplete(
                        "verify", path, f"base is not readable ({why}): new and old cannot be told apart"
                    )
                    for path, why in base.unread.items()
                    if why != ABSENT
                ),
            ]
        )
    )


def uncovered(scope: Scope, head: Texts) -> tuple[Uncovered, ...]:
    """The changed files that nobody looked at: out of scope, or in scope and not readable."""
    return (*scope.uncovered, *(Uncovered(path, why) for path, why in head.unread.items()))


def classes(
    scope: Scope,
    by: Mapping[ClassKey, Sequence[str]],
    looked: Mapping[ClassKey, int],
    complete: Iterable[ClassKey],
    failures: Sequence[Incomplete],
    findings: Iterable[Finding],
) -> tuple[Checked, ...]:
    """One row for each defect class of each skill that claims a changed file.

    `by` names the detectors bound to a class, `looked` the files they read. A class is `held`
    only if its detectors are complete and none of them failed.
    """
    found = {(f.candidate.skill, f.candidate.slug) for f in findings}
    whole = frozenset(complete)

    def rows() -> Iterator[Checked]:
        for skill in (a.skill for a in scope.assignments if a.paths):
            for c in (c for c in skill.classes if c.kind == "defect"):
                key = (skill.name, c.slug)
                if key not in by:
                    result = "not-checked"
                elif key in found:
                    result = "found"
                elif not looked.get(key):
                    result = "not-applicable"
                else:
                    result = "held" if key in whole and not failures else "nothing-found"
                yield Checked(skill.name, c.slug, c.title, looked.get(key, 0), result, tuple(by.get(key, ())))

    return tuple(rows())


def _command(gate: GateResult) -> str:
    """What ran, or the skill's own line where that names many files."""
    return gate.run.spec.line if len(gate.run.files) > 1 else " ".join(gate.run.argv)
