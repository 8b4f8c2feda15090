"""What was planned and not done is named (law 1), and a class is `held` only where that is known."""

from __future__ import annotations

import pytest

from reviewbot.core.ledger import Bound, classes, gated, noted, shortfalls, suspects, uncovered
from reviewbot.core.types import (
    EXECUTING,
    Assignment,
    Change,
    DefectClass,
    Diagnostic,
    Finding,
    GateResult,
    GateRun,
    GateSpec,
    GateStatus,
    Incomplete,
    Origin,
    Rejection,
    Scope,
    Side,
    Skill,
    SkillOrigin,
    Skills,
    Text,
    Texts,
    Uncovered,
)
from tests import builders

LOOP, NOISE = DefectClass(1, "loop", "A loop", ""), DefectClass(2, "noise", "Noise", "", kind="suppress")
SKILL = Skill("s", "", "SKILL.md", SkillOrigin.BASE, "0", classes=(LOOP, NOISE))
SCOPE = Scope((Assignment(SKILL, ("a.sh", "b.sh")),), ("a.sh", "b.sh"), (Uncovered("c.bin", "binary"),))
EMPTY = Texts(Side.LEFT, {})


def gate(
    status: GateStatus, reason: str = "", output: str = "", files: tuple[str, ...] = ("a.sh",)
) -> GateResult:
    spec = GateSpec("bash -n <each>", ("bash", "-n", "<each>"), "parse-only")
    texts = tuple(Text(name, "if\n") for name in files)
    return GateResult(
        GateRun("s", spec, "bash-n", ("bash", "-n", *files), texts), status, 2, 0.0, output, reason
    )


def test_scripts_that_nobody_reads_are_summed_up_and_each_file_that_was_no_text_is_named_once():
    unparsed = Incomplete("detect", "ci.yml", "line 1 does not parse as YAML")
    programs = {"a.yml": {"pwsh": 2, "zsh": 1}, "b.yml": {"pwsh": 1}, "c.yml": {}}
    change = Change(None, None, (), notes=("first",))
    assert noted(change, programs, [unparsed, unparsed]).notes == (
        "first",
        "`run:` blocks that no detector reads: 3 for pwsh, 1 for zsh",
        "ci.yml did not parse at base, so all of it counts as new",
    )
    many = {"a.yml": {f"p{n}": 9 - n for n in range(8)}}
    said = "9 for p0, 8 for p1, 7 for p2, 6 for p3, 5 for p4, 9 for others"
    assert noted(change, many, ()).notes[1] == f"`run:` blocks that no detector reads: {said}"
    assert noted(change, {"c.yml": {}}, ()).notes == ("first",)


def missing(**given: object) -> tuple[Incomplete, ...]:
    parts: dict[str, object] = {
        "skills": Skills((SKILL,)),
        "head": Texts(Side.RIGHT, {}),
        "base": EMPTY,
        "read": frozenset(),
        "failures": (),
        "gates": (),
        **given,
    }
    return shortfalls(**parts)  # type: ignore[arg-type]


def test_a_whole_review_has_no_shortfall():
    passed = [
        gate(GateStatus.PASSED),
        gate(GateStatus.SKIPPED),
        gate(GateStatus.FAILED)._replace(blame="new"),
    ]
    assert missing(gates=passed, base=Texts(Side.LEFT, {}, {"new.sh": "absent"})) == ()


@pytest.mark.parametrize("status", [GateStatus.MISSING, GateStatus.TIMEOUT, GateStatus.REFUSED])
def test_a_gate_that_was_not_run_is_named(status: GateStatus):
    assert missing(gates=[gate(status, "why")]) == (Incomplete("gate", "bash -n a.sh", "why"),)


def test_a_gate_that_fails_and_did_not_end_on_base_leaves_new_and_old_unknown():
    why = "no result on base: new and old cannot be told apart"
    assert missing(gates=[gate(GateStatus.FAILED)]) == (Incomplete("verify", "bash -n a.sh", why),)


def test_a_gate_of_many_files_is_named_by_its_line_and_once_for_two_skills():
    many = gate(GateStatus.REFUSED, "b.sh needs more", files=("a.sh", "b.sh"))
    assert missing(gates=[many, many]) == (Incomplete("gate", "bash -n <each>", "b.sh needs more"),)


def test_a_file_that_was_not_read_a_skill_and_a_detector_that_failed_are_named():
    broken = Diagnostic("SKILL.md", 3, 1, "S002", "error", "no front matter")
    failed = Incomplete("detect", "d on a.sh", "KeyError: 1")
    assert missing(
        skills=Skills((), failed=(broken,)),
        head=Texts(Side.RIGHT, {}, {"a.sh": "not UTF-8"}),
        failures=[failed],
        base=Texts(Side.LEFT, {}, {"b.sh": "too large"}),
    ) == (
        Incomplete("skill", "SKILL.md", "SKILL.md:3:1 S002 no front matter"),
        Incomplete("scope", "a.sh", "not UTF-8"),
        failed,
        Incomplete("verify", "b.sh", "base is not readable (too large): new and old cannot be told apart"),
    )


def test_what_could_not_be_read_is_uncovered_too():
    head = Texts(Side.RIGHT, {}, {"a.sh": "not UTF-8"})
    assert uncovered(SCOPE, head, frozenset()) == (
        Uncovered("c.bin", "binary"),
        Uncovered("a.sh", "not UTF-8"),
    )


def test_a_file_that_no_detector_and_no_gate_reads_is_not_covered():
    head = Texts(Side.RIGHT, {name: Text(name, "x\n") for name in ("a.sh", "b.sh", "ci.yml")})
    rows = uncovered(SCOPE, head, {"a.sh"} | gated([gate(GateStatus.FAILED, files=("b.sh",))], SCOPE))
    assert [row.path for row in rows] == ["c.bin", "ci.yml"]


def test_a_review_in_which_nothing_was_read_is_none():
    head = Texts(Side.RIGHT, {"ci.yml": Text("ci.yml", "x\n")})
    assert [(i.stage, i.what) for i in missing(head=head)] == [("scope", "ci.yml")]
    assert missing(head=head, read={"ci.yml"}) == ()
    hunks = Texts(Side.RIGHT, {"a.py": Text("a.py", "x\n", partial=True)})
    assert missing(head=hunks) == ()
    other = Texts(Side.RIGHT, {"ci.yml": Text("ci.yml", "x\n", partial=True)})
    assert [(i.stage, i.what) for i in missing(head=other)] == [("scope", "ci.yml")]


@pytest.mark.parametrize(
    ("status", "read"),
    [
        (GateStatus.PASSED, {"a.sh"}),
        (GateStatus.FAILED, {"a.sh"}),
        (GateStatus.MISSING, set()),
        (GateStatus.TIMEOUT, set()),
        (GateStatus.REFUSED, set()),
        (GateStatus.SKIPPED, set()),
    ],
)
def test_a_gate_that_did_not_run_has_read_nothing(status: GateStatus, read: set[str]):
    assert gated([gate(status)], SCOPE) == read


@pytest.mark.parametrize(
    ("skill", "status", "whole"),
    [
        ("s", GateStatus.PASSED, True),
        ("s", GateStatus.FAILED, True),
        ("s", GateStatus.TIMEOUT, False),
        ("other", GateStatus.PASSED, False),
    ],
)
def test_a_command_of_another_skill_does_not_hide_that_nothing_was_read(
    skill: str, status: GateStatus, whole: bool
):
    """Any gate that executes, `echo hi`, took the place of all that reads the files; that of the skill which
    claims them is there to check them."""
    head = Texts(Side.RIGHT, {"a.sh": Text("a.sh", "x\n")})
    run = GateRun(skill, GateSpec("echo hi", ("echo", "hi"), "executing"), EXECUTING, ("echo", "hi"))
    ran = GateResult(run, status, 0)
    unread = Incomplete("scope", "a.sh", "in scope, but no detector and no gate reads it")
    assert (unread not in missing(head=head, gates=[ran], read=gated([ran], SCOPE))) is whole


def test_a_failure_that_cannot_be_compared_says_why():
    base = gate(GateStatus.FAILED)._replace(exit=1)
    why = "it exits 2, and 1 on base: new and old cannot be told apart"
    failed = gate(GateStatus.FAILED)._replace(base=base)
    assert missing(gates=[failed]) == (Incomplete("verify", "bash -n a.sh", why),)


def test_a_named_skill_that_holds_nothing_to_look_for_is_incomplete():
    prose = SKILL._replace(classes=(), origin=SkillOrigin.PATH)
    assert [(i.stage, i.what) for i in missing(skills=Skills((prose,)))] == [("skill", "SKILL.md")]


def test_base_is_read_where_a_gate_that_did_not_finish_named_a_fault():
    cut = gate(GateStatus.REFUSED, "cut", "a.sh: line 2: syntax error: unexpected end of file\n")
    assert suspects((), [cut, gate(GateStatus.PASSED, files=("b.sh",))]) == {"a.sh"}


KEY = ("s", "loop")


@pytest.mark.parametrize(
    ("by", "looked", "complete", "sure", "result"),
    [
        ({}, {}, (), True, "not-checked"),
        ({KEY: ["d"]}, {}, (KEY,), True, "not-applicable"),
        ({KEY: ["d"]}, {(*KEY, "d"): {"a.sh", "b.sh"}}, (), True, "nothing-found"),
        ({KEY: ["d"]}, {(*KEY, "d"): {"a.sh", "b.sh"}}, (KEY,), True, "held"),
        ({KEY: ["d"]}, {(*KEY, "d"): {"a.sh", "b.sh"}}, (KEY,), False, "nothing-found"),
    ],
)
def test_a_class_is_held_only_by_a_complete_detector_that_did_not_fail(by, looked, complete, sure, result):
    (row,) = classes(SCOPE, Bound(by, complete, looked, sure), {}, (), ())
    assert (row.slug, row.result, row.files) == ("loop", result, len(looked.get((*KEY, "d"), ())))


def test_only_those_that_read_a_file_are_named_as_having_looked():
    """A rule had read a CI file, and every detector of the class was said to have looked."""
    looked = {(*KEY, "rule"): {"a.sh"}, (*KEY, "other"): {"a.sh", "b.sh"}}
    (row,) = classes(SCOPE, Bound({KEY: ["detector", "rule", "other"]}, (), looked, True), {}, (), ())
    assert (row.by, row.files) == (("rule", "other"), 2)


def finding_of(skill: str) -> Finding:
    return builders.finding(skill=skill, detector="d", slug="loop", path="a.sh")


def test_a_finding_that_two_skills_claim_makes_the_class_found_in_both():
    other = SKILL._replace(name="o")
    scope = SCOPE._replace(assignments=(*SCOPE.assignments, Assignment(other, ("a.sh",))))
    keys = (KEY, ("o", "loop"))
    bound = Bound({key: ["d"] for key in keys}, keys, {key: {"a.sh"} for key in keys}, True)
    assert [row.result for row in classes(scope, bound, {}, [finding_of("o")], ())] == ["found", "found"]


def test_a_class_whose_only_claim_was_rejected_is_not_held():
    bound = Bound({KEY: ["d"]}, (KEY,), {(*KEY, "d"): {"a.sh"}}, True)
    rejected = Rejection(finding_of("s").candidate, "disproved")
    assert [row.result for row in classes(SCOPE, bound, {}, (), [rejected])] == ["nothing-found"]


def test_refused_gates_keep_their_names():
    """Two refused lines were one entry without a name: neither has an argv or a file."""
    refused = gate(GateStatus.REFUSED, "it needs a shell", files=())
    lines = ("bash -n $A", "bash -n $B")
    runs = [refused.run._replace(spec=refused.run.spec._replace(line=line), argv=()) for line in lines]
    assert missing(gates=[refused._replace(run=run) for run in runs]) == tuple(
        Incomplete("gate", line, "it needs a shell") for line in lines
    )


def said(result: str, *paths: str) -> dict[tuple[str, str], dict[str, str]]:
    return {KEY: dict.fromkeys(paths, result)}


NOBODY = Bound({}, (), {}, True)


@pytest.mark.parametrize("result", ["held", "nothing-found", "not-applicable"])
def test_a_model_that_looked_says_what_it_saw(result: str):
    paths = SCOPE.assignments[0].paths
    [row] = classes(SCOPE, NOBODY, said(result, *paths), (), ())
    assert (row.result, row.files, row.by) == (result, len(paths), ("model",))


def test_what_a_model_has_not_read_whole_is_not_held():
    wider = SCOPE._replace(assignments=(Assignment(SKILL, ("a.sh", "b.sh")),))
    [row] = classes(wider, NOBODY, said("held", "a.sh"), (), ())
    assert row.result == "nothing-found"


def test_a_finding_of_a_model_makes_its_class_found():
    claim = builders.finding(skill="s", slug="loop", path="a.sh", detector=None, origin=Origin.MODEL)
    [row] = classes(SCOPE, NOBODY, said("nothing-found", "a.sh"), [claim], ())
    assert (row.result, row.by) == ("found", ("model",))


def test_a_finding_in_a_file_that_was_not_read_whole_makes_its_class_found_all_the_same():
    claim = builders.finding(skill="s", slug="loop", path="a.sh", detector=None, origin=Origin.MODEL)
    [row] = classes(SCOPE, NOBODY, {}, [claim], ())
    assert (row.result, row.by) == ("found", ("model",))


def test_a_class_that_is_called_like_a_detector_is_not_found_by_it():
    """Detectors and the classes of a model had one space of names."""
    other = builders.finding(skill="o", slug="other", path="a.sh", detector="loop")
    [row] = classes(SCOPE, NOBODY, said("held", *SCOPE.assignments[0].paths), [other], ())
    assert row.result == "held"
    claim = builders.finding(skill="o", slug="d", path="a.sh", detector=None, origin=Origin.MODEL)
    bound = Bound({KEY: ["d"]}, (KEY,), {(*KEY, "d"): {"a.sh", "b.sh"}}, True)
    [row] = classes(SCOPE, bound, {}, [claim], ())
    assert row.result == "held"


def test_a_class_in_which_a_claim_of_the_model_was_rejected_is_not_held():
    claim = builders.candidate(skill="s", slug="loop", path="a.sh", detector=None, origin=Origin.MODEL)
    [row] = classes(SCOPE, NOBODY, said("held", "a.sh"), (), [Rejection(claim, "unquoted")])
    assert row.result == "nothing-found"
