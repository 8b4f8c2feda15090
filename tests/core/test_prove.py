"""Findings proven by execution: what runs, and what each end of a proof does to its finding."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.prove import MAX_LINES, MOST, judge, plan_proofs
from reviewbot.core.types import (
    PROVING,
    Candidate,
    Change,
    Claim,
    FileChange,
    GateResult,
    GateStatus,
    Grade,
    Proof,
    Receipt,
    Sign,
    Status,
    Text,
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
NOTHING = Change("b", "h", (), "main...HEAD")
SHOWN = "launch.sh: line 2: $2: unbound variable\n"
ENDLESS = PROOF._replace(shows=Sign("was still running after 1 s", endless=True))


def checked(proof: Proof | None = PROOF, **changes: Any) -> Checked:
    own = {name: changes.pop(name) for name in ("preexisting", "receipts") if name in changes}
    return Checked(builders.candidate(proof=proof, **changes), **{"receipts": (), **own})


def ended(c: Checked, status: GateStatus, output: str = "", exit: int | None = None) -> GateResult:
    return GateResult(plan_proofs([c], NOTHING).runs[0], status, exit, 0.0, output, "why not")


def test_a_proof_is_a_run_of_its_script_alone() -> None:
    [run] = plan_proofs([checked()], NOTHING).runs
    assert (run.tool, run.argv, run.files, run.seconds) == (PROVING, PROOF.argv, (SCRIPT,), 1.0)
    assert run.executes


def test_what_base_had_and_what_has_no_proof_runs_nothing() -> None:
    assert plan_proofs([checked(None), checked(preexisting=True)], NOTHING).runs == ()


def test_a_review_runs_so_many_proofs_and_the_rest_stays_as_it_was() -> None:
    many = [checked(line=line) for line in range(1, MOST + 3)]
    runs = plan_proofs(many, NOTHING).runs
    assert len(runs) == MOST
    kept, _ = judge(many, NOTHING, [GateResult(run, GateStatus.FAILED, 1, 0.0, SHOWN) for run in runs])
    assert [c.candidate.grade for c in kept] == [Grade.PROVEN] * MOST + [Grade.STRONG] * 2


def test_what_was_shown_is_proven_and_its_transcript_is_a_receipt() -> None:
    had = Receipt("quote", "it stands there", "run.sh", 1, True)
    c = checked(receipts=(had,))
    [proven], rejected = judge([c], NOTHING, [ended(c, GateStatus.FAILED, SHOWN, 1)])
    assert rejected == []
    assert proven.candidate == c.candidate._replace(grade=Grade.PROVEN)
    transcript = (
        "$ cat launch.sh\n"
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
    kept, [rejection] = judge([c], NOTHING, [ended(c, GateStatus.PASSED, "reviewbot: end\n", 0)])
    assert kept == []
    assert rejection == (c.candidate, "disproved", "`bash launch.sh --model` goes on")


@pytest.mark.parametrize(
    ("status", "output", "exit"),
    [
        (GateStatus.FAILED, "Killed\n", 137),
        (GateStatus.FAILED, SHOWN, 2),  # another status than the one that the sign names
        (GateStatus.TIMEOUT, SHOWN, None),
        (GateStatus.PASSED, "", 0),
    ],
)
def test_an_end_that_nobody_foresaw_decides_nothing(
    status: GateStatus, output: str, exit: int | None
) -> None:
    c = checked()
    assert judge([c], NOTHING, [ended(c, status, output, exit)]) == ([c], [])


@pytest.mark.parametrize("status", [GateStatus.REFUSED, GateStatus.MISSING])
def test_a_proof_that_could_not_run_leaves_the_finding_and_the_reason(status: GateStatus) -> None:
    c = checked()
    assert judge([c], NOTHING, [ended(c, status)]) == ([c._replace(unproven="why not")], [])


def test_proofs_that_are_switched_off_are_not_mentioned() -> None:
    c = checked()
    assert judge([c], NOTHING, [ended(c, GateStatus.SKIPPED)]) == ([c], [])


def test_an_endless_loop_is_shown_by_its_time_alone() -> None:
    c = checked(ENDLESS)
    [proven], _ = judge([c], NOTHING, [ended(c, GateStatus.TIMEOUT)])
    assert proven.candidate.grade is Grade.PROVEN
    assert proven.receipts[0].detail.endswith("$ bash launch.sh --model\n(ended after 1 s)")
    assert judge([c], NOTHING, [ended(c, GateStatus.FAILED, "", 1)]) == ([c], [])


def test_a_long_output_is_cut_and_counted() -> None:
    c = checked()
    output = "x" * 500 + "\n" + "y\n" * (MAX_LINES + 5) + SHOWN
    [proven], _ = judge([c], NOTHING, [ended(c, GateStatus.FAILED, output, 1)])
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
    results = [
        GateResult(run, status, 1, 0.0, output)
        for run, (_, _, status, output) in zip(plan_proofs(given_, NOTHING).runs, wanted, strict=True)
    ]
    kept, rejected = judge(given_, NOTHING, results)
    lines = sorted([c.candidate.site.line for c in kept] + [r.candidate.site.line for r in rejected])
    assert lines == [i + 1 for i in range(len(rows))]
    ran = [r for r in results if r.status in (GateStatus.PASSED, GateStatus.FAILED)]
    assert sum(c.candidate.grade is Grade.PROVEN for c in kept) + len(rejected) <= len(ran)


# --- a change that edits what testifies -----------------------------------------------------


def tool(*argv: str) -> Proof:
    tools = tuple(word for word in argv if word != "lib/a.sh")
    return PROOF._replace(argv=argv, script=None, tools=tools, denies=Sign("exits 1", exits=(1,)))


def edits(*paths: str) -> Change:
    return NOTHING._replace(files=tuple(FileChange(path, Status.MODIFIED) for path in paths))


@pytest.mark.parametrize(
    ("argv", "path"),
    [
        (("./tools/show.sh", "lib/a.sh"), "tools/show.sh"),
        (("tools/show.sh", "lib/a.sh"), "tools/lib/common.sh"),
        (("bash", "-e", "tools/show.sh", "lib/a.sh"), "tools/common.sh"),
        (("python3", "show.py", "lib/a.sh"), "json.py"),
        (("python3", "-m", "tools.show", "lib/a.sh"), "tools/show.py"),
        (("python3", "-m", "tools.show", "lib/a.sh"), "json.py"),
        (("python3", "-c", "import json", "lib/a.sh"), "json.py"),
        (("grep", "-qf", "words/all", "lib/a.sh"), "words/all"),
        (("./tools/show.sh", "--with=data/x.txt", "lib/a.sh"), "data/x.txt"),
        (("pytest", "tests/show.py"), "tests/conftest.py"),
        (("make", "-C", "proofs", "show"), "proofs/Makefile"),
        (("./tools/show.sh", "."), "elsewhere"),
    ],
)
def test_a_change_that_edits_a_tool_of_the_proof_is_not_asked(argv: tuple[str, ...], path: str) -> None:
    c = checked(tool(*argv))
    why = f"the change edits {path}, which could speak for it"
    assert plan_proofs([c], edits("lib/a.sh", path)).runs == ()
    assert judge([c], edits("lib/a.sh", path), []) == ([c._replace(unproven=why)], [])


@pytest.mark.parametrize(
    ("argv", "path"),
    [
        (("./tools/show.sh", "lib/a.sh"), "lib/b.sh"),
        (("./tools/show.sh", "lib/a.sh"), "show.sh"),
        (("./show.sh", "lib/a.sh"), "docs/more.md"),
        (("grep", "-q", "words", "lib/a.sh"), "top.txt"),
    ],
)
def test_a_change_of_other_files_is_asked(argv: tuple[str, ...], path: str) -> None:
    assert [run.argv for run in plan_proofs([checked(tool(*argv))], edits("lib/a.sh", path)).runs] == [argv]


def test_the_old_name_of_a_file_is_edited_too() -> None:
    moved = FileChange("gone.sh", Status.RENAMED, old_path="tools/show.sh")
    change = NOTHING._replace(files=(moved,))
    assert plan_proofs([checked(tool("./tools/show.sh"))], change).runs == ()


def test_a_proof_that_is_not_asked_takes_no_result_of_another() -> None:
    first, second = checked(tool("./tools/show.sh"), line=1), checked(tool("./other/show.sh"), line=2)
    change = edits("tools/show.sh")
    [run] = plan_proofs([first, second], change).runs
    kept, rejected = judge([first, second], change, [GateResult(run, GateStatus.FAILED, 1)])
    assert [c.candidate.site.line for c in kept] == [1]
    assert [r.candidate.site.line for r in rejected] == [2]


def test_a_claim_of_a_detector_that_something_ran_is_no_receipt() -> None:
    from reviewbot.core.types import Side, Texts
    from reviewbot.core.verify import check

    claim = Claim("run", "it exits 1", "runners/launch_h200.sh", "")
    lying: Candidate = builders.candidate(claims=(claim,), line=1)
    text = Text("runners/launch_h200.sh", builders.INJECT + "\n")
    kept, [rejection] = check([lying], Texts(Side.RIGHT, {text.path: text}))
    assert kept == []
    assert rejection.reason == "disproved"
