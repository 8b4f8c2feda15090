"""Findings proven by execution: which proofs are run, and what their ends say of the findings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from posixpath import dirname, normpath

from reviewbot.core.gates import INTERPRETER, started
from reviewbot.core.ports import Gates
from reviewbot.core.types import (
    PROVING,
    Candidate,
    GatePlan,
    GateResult,
    GateRun,
    GateSpec,
    GateStatus,
    Grade,
    Proof,
    Receipt,
    Rejection,
    Side,
    Sign,
    Texts,
)
from reviewbot.core.verify import Checked

MOST = 20  # proofs of one review: an endless loop takes its whole second
MAX_LINE = 200  # characters of a line in a transcript
MAX_LINES = 20  # of what a proof printed
_RAN = (GateStatus.PASSED, GateStatus.FAILED)
_UNDONE = (GateStatus.REFUSED, GateStatus.MISSING, GateStatus.SKIPPED)  # for reasons of their own


def prove(checked: Sequence[Checked], head: Texts, gates: Gates) -> tuple[list[Checked], list[Rejection]]:
    """The candidates behind their proofs, and those that their proof contradicts. The new ones with a proof
    are tried, best first, at most MOST; why one was not, or decides nothing, stands in `unproven`."""
    wanted = [i for i, c in enumerate(checked) if _wanted(c)]
    barred = dict.fromkeys(wanted[MOST:], f"a review runs {MOST} proofs")
    runs = {i: run for i in wanted[:MOST] if (run := _run(checked[i].candidate, head))}
    barred |= {i: _barred(checked[i].candidate) for i in wanted[:MOST] if i not in runs}
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


def _undecided(proof: Proof, result: GateResult) -> str:
    """Why a proof that was to run says nothing."""
    if result.status in _RAN:
        return f"`{_line(proof)}` exits {result.exit}, which decides nothing"
    return (
        result.reason if result.status in _UNDONE else f"`{_line(proof)}`: {result.reason or result.status}"
    )


def _wanted(checked: Checked) -> Proof | None:
    return None if checked.preexisting else checked.candidate.proof


def _run(candidate: Candidate, head: Texts) -> GateRun | None:
    """A script alone, or the command in the tree at base with the reviewed file of head in it: whatever else
    the change edits would testify for itself (law 8)."""
    proof, text = candidate.proof, head.files.get(candidate.site.path)
    if proof is None or not (proof.script or (text and not _beside(proof, text.path))):
        return None
    spec = GateSpec(_line(proof), proof.argv, "executing")
    run = GateRun(candidate.skill, spec, PROVING, proof.argv, seconds=proof.seconds)
    if proof.script:
        return run._replace(files=(proof.script,))
    return run._replace(side=Side.LEFT, files=(text,) if text else ())


def _beside(proof: Proof, path: str) -> bool:
    """Whether a file is the tool of a proof, or lies where the tool loads its parts from."""
    script = started(proof.argv)
    if script:
        return dirname(normpath(script)) == dirname(path)
    return "/" not in path and INTERPRETER.match(proof.argv[0]) is not None


def _barred(candidate: Candidate) -> str:
    path = candidate.site.path
    if candidate.proof and _beside(candidate.proof, path):
        return f"{path} lies beside the tool of the proof, and could speak for itself"
    return f"{path} was not read"


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
