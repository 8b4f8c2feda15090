"""Findings proven by execution: which proofs are run, and what their ends say of the findings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reviewbot.core.ports import Gates
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
_UNDONE = (GateStatus.REFUSED, GateStatus.MISSING, GateStatus.SKIPPED)  # for reasons of their own


def prove(checked: Sequence[Checked], change: Change, gates: Gates) -> tuple[list[Checked], list[Rejection]]:
    """The candidates behind their proofs, and those that their proof contradicts. The new ones with a proof
    are tried, best first, at most MOST; why one was not, or decides nothing, stands in `unproven`."""
    edited = Edited(change)
    barred = {i: _barred(edited.of(proof)) for i, c in enumerate(checked) if (proof := _wanted(c))}
    may = [i for i, why in barred.items() if not why]
    barred |= dict.fromkeys(may[MOST:], f"a review runs {MOST} proofs")
    runs = {i: run for i in may[:MOST] if (run := _run(checked[i].candidate))}
    results = dict(zip(runs, gates.run(GatePlan(tuple(runs.values()))), strict=True)) if runs else {}
    kept, disproved = [], []
    for i, c in enumerate(checked):
        proof, result = _wanted(c), results.get(i)
        if proof is None or result is None:
            kept.append(c._replace(unproven=barred.get(i, "")))
        elif _is(proof.shows, result):
            kept.append(_proven(c, proof, result))
        elif _is(proof.denies, result):
            disproved.append(Rejection(c.candidate, "disproved", f"`{_line(proof)}` {proof.denies.words}"))
        else:
            kept.append(c._replace(unproven=_undecided(proof, result)))
    return kept, disproved


def _barred(witness: str) -> str:
    return f"the change edits {witness}, which could speak for it" if witness else ""


def _undecided(proof: Proof, result: GateResult) -> str:
    """Why a proof that was to run says nothing."""
    if result.status in _RAN:
        return f"`{_line(proof)}` exits {result.exit}, which decides nothing"
    return (
        result.reason if result.status in _UNDONE else f"`{_line(proof)}`: {result.reason or result.status}"
    )


def _wanted(checked: Checked) -> Proof | None:
    return None if checked.preexisting else checked.candidate.proof


def _run(candidate: Candidate) -> GateRun | None:
    proof = candidate.proof
    if proof is None:
        return None
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
        rows += [f"$ cat {proof.script.path}    # reduced to what decides", *proof.script.lines]
    printed = result.output.rstrip("\n").split("\n") if result.output.strip() else []
    rows += [f"$ {_line(proof)}", *(row[:MAX_LINE] for row in printed[:MAX_LINES])]
    if len(printed) > MAX_LINES:
        rows.append(f"({len(printed) - MAX_LINES} more lines)")
    rows.append(f"(ended after {proof.seconds:g} s)" if proof.shows.endless else f"(exit {result.exit})")
    return rows


def _line(proof: Proof) -> str:
    return " ".join(proof.argv)
