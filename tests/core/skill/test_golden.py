"""One whole skill file of the form that people have: the twin of a real one.

Its list items continue in column 0, its fences are not indented, its sixth step follows a
paragraph, and its last class is no defect. A CommonMark parser loses three steps of it.
"""

from __future__ import annotations

import hashlib

from reviewbot.core.types import GateSpec, ScopeRow, SkillOrigin
from tests.skillfiles import TWIN, load

DATA = TWIN.read_bytes()
SKILL, DIAGNOSTICS = load(DATA, "skills/distill-campaign-review/SKILL.md")


def test_what_it_is_called():
    assert SKILL is not None
    assert SKILL.name == "distill-campaign-review"
    assert SKILL.description.startswith("Review or audit the distillation campaign (prompts-feed-")
    assert SKILL.description.endswith("the figure claimed.")
    assert (SKILL.path, SKILL.origin) == ("skills/distill-campaign-review/SKILL.md", SkillOrigin.BASE)
    assert SKILL.hash == hashlib.sha256(DATA).hexdigest()[:12]


def test_its_files_in_scope():
    assert SKILL is not None
    assert [(row.stage, row.pattern, row.line) for row in SKILL.scope] == [
        ("prompts", "build-prompt-set.py", 17),
        ("prompts", "split-eval-set.py", 18),
        ("export", "export-*.sh", 19),
        ("host", "host-otter9-fp16.sh", 20),
        ("feed", "prompt-feed.py", 21),
        ("shards", "join-otter9-shards.py", 22),
    ]
    assert SKILL.scope[2] == ScopeRow(
        "export", "export-*.sh", "recipe → checkpoint, one per arch", 19, "export-<arch>.sh"
    )


def test_its_twelve_classes_with_their_lines():
    assert SKILL is not None
    assert [(c.rank, c.slug, c.line) for c in SKILL.classes] == [
        (1, "sameness-inferred-from-a-length", 26),
        (2, "a-loop-that-cannot-finish-and-is-blind-to-it", 31),
        (3, "set-u-and-the-missing-argument", 35),
        (4, "a-restore-that-spares-the-gpu-holder", 37),
        (5, "checks-behind-the-costly-part", 41),
        (6, "exit-0-and-nothing-on-disk", 44),
        (7, "assert-in-a-verifier", 46),
        (8, "warning-and-on-it-goes", 47),
        (9, "tokenizing-over-and-over", 49),
        (10, "a-substring-for-a-key", 52),
        (11, "paths-compared-as-text", 54),
        (12, "a-false-positive-of-shellcheck", 56),
    ]
    assert [c.kind for c in SKILL.classes] == ["defect"] * 11 + ["suppress"]
    assert {c.severity for c in SKILL.classes} == {None}


def test_a_class_is_title_body_and_fix():
    assert SKILL is not None
    first, third = SKILL.classes[0], SKILL.classes[2]
    assert first.title == "Sameness inferred from a length"
    assert first.body == (
        "A step that stores decoded text (`tok.decode(piece)`) and compares only totals has not shown that"
        " the ids survive — a round trip may fuse or cut tokens. Same shape: a check of"
        ' "as many pieces as before" that never looks into one.'
    )
    assert first.fix == "encode every piece anew and compare the ids; abort on the first mismatch."
    assert third.title == "`set -u` and the missing argument"
    assert third.body == (
        '`--name) NAME="$2"; shift 2` ends in "unbound variable" if the flag is last.'
        ' Put `[ "$#" -ge 2 ]` in front of each such arm.'
    )


def test_its_six_steps():
    assert SKILL is not None
    starts = ["Take stock", "Read the tests", "Mechanical gates:", "Mend what", "Try the changed", "Stacked"]
    assert [step.startswith(start) for step, start in zip(SKILL.steps, starts, strict=True)] == [True] * 6
    assert SKILL.steps[5].endswith("name the one that is merged first.")
    assert "```bash\n# a local script over the server's data" in SKILL.steps[4]


def test_its_gates_and_never_the_fence_with_ssh():
    assert SKILL is not None
    assert SKILL.gates == (
        GateSpec(
            "python3 -m py_compile tools/*.py",
            ("python3", "-m", "py_compile", "tools/*.py"),
            "parse-only",
            at=69,
        ),
        GateSpec("bash -n tools/<each>.sh", ("bash", "-n", "tools/<each>.sh"), "parse-only", at=70),
        GateSpec(
            "shellcheck -S warning tools/<each>.sh # shell only, no .py",
            ("shellcheck", "-S", "warning", "tools/<each>.sh"),
            "parse-only",
            note="shell only, no .py",
            at=71,
        ),
        GateSpec("./tests/all.sh", ("./tests/all.sh",), "executing", "it runs code of the repository", at=72),
    )


def test_its_report_and_its_prose():
    assert SKILL is not None
    assert SKILL.report.startswith("A single table: defect → cost → fix. Say what")
    assert SKILL.report.endswith("that is what gets it reviewed.")
    assert SKILL.guidance.startswith("# Hostile review of the distillation campaign\n\nLearned the hard way")
    assert SKILL.guidance.endswith("cite the line and say what it costs.")


def test_what_is_noticed_about_it():
    assert [(d.line, d.col, d.code, d.level) for d in DIAGNOSTICS] == [
        (31, 1, "S109", "info"),
        (56, 1, "S109", "info"),
        (68, 1, "S012", "warning"),
    ]
    assert SKILL is not None
    assert SKILL.diagnostics == DIAGNOSTICS
    assert str(DIAGNOSTICS[2]) == (
        "skills/distill-campaign-review/SKILL.md:68:1 S012"
        " for Markdown this fence ends the list; indent it by 3 spaces"
    )


def test_the_same_file_with_other_line_ends_is_the_same_skill():
    assert SKILL is not None
    windows, _ = load(DATA.replace(b"\n", b"\r\n"), SKILL.path)
    assert windows is not None
    assert (windows.classes, windows.scope, windows.steps) == (SKILL.classes, SKILL.scope, SKILL.steps)
    assert windows.gates == SKILL.gates


def test_a_copy_of_the_web_page_of_a_file_is_refused():
    rows = DATA.decode().split("\n")
    pasted = "57 lines\n4.1 KiB\nMarkdown\n" + "\n|\n||\n".join(rows)
    skill, diagnostics = load(pasted)
    assert skill is None
    assert [(d.line, d.code, d.level) for d in diagnostics] == [(1, "S108", "error")]
    assert "`reviewbot skills import FILE`" in diagnostics[0].message
