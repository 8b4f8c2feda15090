"""Findings proven by execution: which proofs are run, and what their ends say of the findings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from reviewbot.core.types import (
    PROVING,
    Candidate,
    Change,
    GatePlan,
    GateResult,
    GateRun,
    GateSpec,
    GateStatus,
    Grade,
    Proof,
    Receipt,
    Rejection,
    Sign,
)
from reviewbot.core.verify import Checked
from reviewbot.core.witness import Edited

MOST = 20  # proofs of one review: an endless loop takes its whole second
MAX_LINE = 200  # characters of a line in a transcript
MAX_LINES = 20  # of what a proof printed
_RAN = (GateStatus.PASSED, GateStatus.FAILED)


def plan_proofs(checked: Sequence[Checked], change: Change) -> GatePlan:
    """One run for each new candidate that has a proof, best first."""
    edited = Edited(change)
    wanted = ((c, _wanted(c)) for c in checked)
    runs = (_run(c.candidate, proof) for c, proof in wanted if proof and not edited.of(proof))
    return GatePlan(tuple(islice(runs, MOST)))


def judge(
    checked: Sequence[Checked], change: Change, results: Sequence[GateResult]
) -> tuple[list[Checked], list[Rejection]]:
    """The candidates behind their proofs, and those that their proof contradicts. `results` are those of
    `plan_proofs`."""
    told = iter(results)
    edited = Edited(change)
    kept, disproved = [], []
    for c in checked:
        proof = _wanted(c)
        if proof and (path := edited.of(proof)):
            kept.append(c._replace(unproven=f"the change edits {path}, which could speak for it"))
            continue
        result = next(told, None) if proof else None
        if proof is None or result is None:
            kept.append(c)
        elif result.status in (GateStatus.REFUSED, GateStatus.MISSING):
            kept.append(c._replace(unproven=result.reason))
        elif _is(proof.shows, result):
            kept.append(_proven(c, proof, result))
        elif _is(proof.denies, result):
            disproved.append(Rejection(c.candidate, "disproved", f"`{_line(proof)}` {proof.denies.words}"))
        else:
            kept.append(c)
    return kept, disproved


def _wanted(checked: Checked) -> Proof | None:
    return None if checked.preexisting else checked.candidate.proof


def _run(candidate: Candidate, proof: Proof) -> GateRun:
    spec = GateSpec(_line(proof), proof.argv, "executing")
    files = (proof.script,) if proof.script else ()
    return GateRun(candidate.skill, spec, PROVING, proof.argv, files, seconds=proof.seconds)


def _is(sign: Sign, result: GateResult) -> bool:
    if sign.endless != (result.status is GateStatus.TIMEOUT):
        return False
    if not sign.endless and (result.status not in _RAN or (sign.exits and result.exit not in sign.exits)):
        return False
    return re.search(sign.output, result.output, re.MULTILINE) is not None


def _proven(checked: Checked, proof: Proof, result: GateResult) -> Checked:
    site = checked.candidate.site
    claim = f"In the sandbox `{_line(proof)}` {proof.shows.words}"
    receipt = Receipt("run", claim, site.path, site.start_line, True, "\n".join(_transcript(proof, result)))
    candidate = checked.candidate._replace(grade=Grade.PROVEN)
    return checked._replace(candidate=candidate, receipts=(*checked.receipts, receipt))


def _transcript(proof: Proof, result: GateResult) -> list[str]:
    """As somebody sees it who types it in: the script, the command, its output, and how it ended."""
    rows = []
    if proof.script:
        rows += [f"$ cat {proof.script.path}", *proof.script.lines]
    printed = result.output.rstrip("\n").split("\n") if result.output.strip() else []
    rows += [f"$ {_line(proof)}", *(row[:MAX_LINE] for row in printed[:MAX_LINES])]
    if len(printed) > MAX_LINES:
        rows.append(f"({len(printed) - MAX_LINES} more lines)")
    rows.append(f"(ended after {proof.seconds:g} s)" if proof.shows.endless else f"(exit {result.exit})")
    return rows


def _line(proof: Proof) -> str:
    return " ".join(proof.argv)
