"""Findings proven by execution: what runs, and what each end of a proof does to its finding."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.prove import MAX_LINES, MOST, prove
from reviewbot.core.types import (
    PROVING,
    Candidate,
    Claim,
    GatePlan,
    GateResult,
    GateRun,
    GateStatus,
    Grade,
    Proof,
    Receipt,
    Rejection,
    Side,
    Sign,
    Text,
    Texts,
)
from reviewbot.core.verify import Checked
from tests import builders

SCRIPT = Text("launch.sh", 'set -u\nMODEL="$2"\n')
PROOF = Proof(
    ("bash", "launch.sh", "--model"),
    shows=Sign('stops with "unbound variable"', r"unbound variable$", (1,)),
    denies=Sign("goes on", r"^reviewbot: end$", (0,)),
    script=SCRIPT,
)
NOTHING = Texts(Side.RIGHT, {})
SHOWN = "launch.sh: line 2: $2: unbound variable\n"
ENDLESS = PROOF._replace(shows=Sign("was still running after 1 s", endless=True))


def checked(proof: Proof | None = PROOF, **changes: Any) -> Checked:
    own = {name: changes.pop(name) for name in ("preexisting", "receipts") if name in changes}
    return Checked(builders.candidate(proof=proof, **changes), **{"receipts": (), **own})


class Ends:
    """A Gates port in which each run ends as a row says: status, exit, output. `runs` are those it had."""

    def __init__(self, *rows: tuple[GateStatus, int | None, str]) -> None:
        self.runs: tuple[GateRun, ...] = ()
        self._rows = rows

    def run(self, plan: GatePlan) -> tuple[GateResult, ...]:
        self.runs = plan.runs
        rows = zip(plan.runs, self._rows, strict=True)
        return tuple(GateResult(run, status, exit, 0.0, out, "why not") for run, (status, exit, out) in rows)


def ended(
    c: Checked, status: GateStatus, output: str = "", exit: int | None = None
) -> tuple[list[Checked], list[Rejection]]:
    return prove([c], NOTHING, Ends((status, exit, output)))


def test_a_proof_is_a_run_of_its_script_alone() -> None:
    gates = Ends((GateStatus.PASSED, 0, ""))
    prove([checked()], NOTHING, gates)
    [run] = gates.runs
    assert (run.tool, run.argv, run.files, run.seconds) == (PROVING, PROOF.argv, (SCRIPT,), 1.0)
    assert run.executes


def test_what_base_had_and_what_has_no_proof_runs_nothing() -> None:
    gates = Ends()
    given_ = [checked(None), checked(preexisting=True)]
    assert prove(given_, NOTHING, gates) == (given_, [])
    assert gates.runs == ()


def test_a_review_runs_so_many_proofs_and_says_so_of_the_rest() -> None:
    many = [checked(line=line) for line in range(1, MOST + 3)]
    kept, _ = prove(many, NOTHING, Ends(*[(GateStatus.FAILED, 1, SHOWN)] * MOST))
    assert [c.candidate.grade for c in kept] == [Grade.PROVEN] * MOST + [Grade.STRONG] * 2
    assert [c.unproven for c in kept] == [""] * MOST + ["a review runs 20 proofs"] * 2


def test_what_was_shown_is_proven_and_its_transcript_is_a_receipt() -> None:
    had = Receipt("quote", "it stands there", "run.sh", 1, True)
    c = checked(receipts=(had,))
    [proven], rejected = ended(c, GateStatus.FAILED, SHOWN, 1)
    assert rejected == []
    assert proven.candidate == c.candidate._replace(grade=Grade.PROVEN)
    transcript = (
        "$ cat launch.sh    # reduced to what decides\n"
        "set -u\n"
        'MODEL="$2"\n'
        "$ bash launch.sh --model\n"
        "launch.sh: line 2: $2: unbound variable\n"
        "(exit 1)"
    )
    claim = 'In the sandbox `bash launch.sh --model` stops with "unbound variable"'
    assert proven.receipts == (had, Receipt("run", claim, "runners/launch_h200.sh", 41, True, transcript))


def test_what_the_run_contradicts_is_rejected_and_says_so() -> None:
    c = checked()
    kept, [rejection] = ended(c, GateStatus.PASSED, "reviewbot: end\n", 0)
    assert kept == []
    assert rejection == (c.candidate, "disproved", "`bash launch.sh --model` goes on")


@pytest.mark.parametrize(
    ("status", "output", "exit"),
    [
        (GateStatus.FAILED, "Killed\n", 137),
        (GateStatus.FAILED, SHOWN, 2),  # another status than the one that the sign names
        (GateStatus.PASSED, "", 0),
    ],
)
def test_an_end_that_nobody_foresaw_decides_nothing_and_is_said(
    status: GateStatus, output: str, exit: int | None
) -> None:
    c = checked()
    why = f"`bash launch.sh --model` exits {exit}, which decides nothing"
    assert ended(c, status, output, exit) == ([c._replace(unproven=why)], [])


def test_a_proof_that_hangs_decides_nothing_and_is_said() -> None:
    c = checked()
    why = "`bash launch.sh --model`: why not"
    assert ended(c, GateStatus.TIMEOUT, SHOWN) == ([c._replace(unproven=why)], [])


@pytest.mark.parametrize("status", [GateStatus.REFUSED, GateStatus.MISSING, GateStatus.SKIPPED])
def test_a_proof_that_could_not_run_leaves_the_finding_and_the_reason(status: GateStatus) -> None:
    c = checked()
    assert ended(c, status) == ([c._replace(unproven="why not")], [])


def test_an_endless_loop_is_shown_by_its_time_alone() -> None:
    c = checked(ENDLESS)
    [proven], _ = ended(c, GateStatus.TIMEOUT)
    assert proven.candidate.grade is Grade.PROVEN
    assert proven.receipts[0].detail.endswith("$ bash launch.sh --model\n(ended after 1 s)")
    [kept], _ = ended(c, GateStatus.FAILED, "", 1)
    assert kept.candidate == c.candidate


def test_a_long_output_is_cut_and_counted() -> None:
    c = checked()
    output = "x" * 500 + "\n" + "y\n" * (MAX_LINES + 5) + SHOWN
    [proven], _ = ended(c, GateStatus.FAILED, output, 1)
    rows = proven.receipts[0].detail.split("\n")
    assert max(map(len, rows)) == 200
    assert rows[-2:] == ["(7 more lines)", "(exit 1)"]


@given(
    st.lists(
        st.tuples(st.booleans(), st.booleans(), st.sampled_from(GateStatus), st.text(max_size=30)), max_size=8
    )
)
def test_every_candidate_is_kept_or_rejected_and_only_an_execution_proves(
    rows: list[tuple[bool, bool, GateStatus, str]],
) -> None:
    given_ = [
        checked(PROOF if has else None, preexisting=old, line=i + 1)
        for i, (has, old, _, _) in enumerate(rows)
    ]
    wanted = [row for row in rows if row[0] and not row[1]]
    kept, rejected = prove(given_, NOTHING, Ends(*((status, 1, output) for _, _, status, output in wanted)))
    lines = sorted([c.candidate.site.line for c in kept] + [r.candidate.site.line for r in rejected])
    assert lines == [i + 1 for i in range(len(rows))]
    ran = [row for row in wanted if row[2] in (GateStatus.PASSED, GateStatus.FAILED)]
    assert sum(c.candidate.grade is Grade.PROVEN for c in kept) + len(rejected) <= len(ran)


# --- what testifies is that of base -----------------------------------------------------------


def test_the_tool_of_a_proof_is_that_of_base_and_only_the_reviewed_file_that_of_head() -> None:
    proof = PROOF._replace(argv=("./tools/show.sh", "runners/launch_h200.sh"), script=None)
    gates = Ends((GateStatus.PASSED, 0, ""))
    text = Text("runners/launch_h200.sh", "set -u\n")
    prove([checked(proof)], Texts(Side.RIGHT, {text.path: text}), gates)
    [run] = gates.runs
    assert (run.side, run.files, run.argv) == (Side.LEFT, (text,), proof.argv)


def test_without_the_reviewed_file_no_proof_is_run_and_it_is_said() -> None:
    c = checked(PROOF._replace(script=None))
    kept, _ = prove([c], NOTHING, Ends())
    assert kept == [c._replace(unproven="runners/launch_h200.sh was not read")]


@pytest.mark.parametrize(
    ("argv", "path"),
    [
        (("./tools/show.sh",), "tools/show.sh"),
        (("bash", "tools/show.sh"), "tools/common.sh"),
        (("python3", "show.py"), "json.py"),
        (("python3", "-m", "tools.show"), "json.py"),
    ],
)
def test_a_reviewed_file_that_is_a_part_of_the_tool_is_not_asked(argv: tuple[str, ...], path: str) -> None:
    c = checked(PROOF._replace(argv=argv, script=None), path=path)
    kept, _ = prove([c], Texts(Side.RIGHT, {path: Text(path, "x\n")}), Ends())
    why = f"{path} lies beside the tool of the proof, and could speak for itself"
    assert kept == [c._replace(unproven=why)]


def test_a_proof_that_is_not_run_takes_no_result_of_another() -> None:
    first, second = checked(PROOF._replace(script=None), line=1), checked(line=2)
    kept, rejected = prove([first, second], NOTHING, Ends((GateStatus.PASSED, 0, "reviewbot: end\n")))
    assert [c.candidate.site.line for c in kept] == [1]
    assert [r.candidate.site.line for r in rejected] == [2]


def test_a_claim_of_a_detector_that_something_ran_is_no_receipt() -> None:
    from reviewbot.core.verify import check

    claim = Claim("run", "it exits 1", "runners/launch_h200.sh", "")
    lying: Candidate = builders.candidate(claims=(claim,), line=1)
    text = Text("runners/launch_h200.sh", builders.INJECT + "\n")
    kept, [rejection] = check([lying], Texts(Side.RIGHT, {text.path: text}))
    assert kept == []
    assert rejection.reason == "disproved"
