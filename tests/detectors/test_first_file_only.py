"""first-file-only: the gate really passes a broken second file, and behind the edit it does not."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from reviewbot.core.rehearse import splice
from reviewbot.core.types import DefectClass, Grade, Skill, SkillOrigin, Text
from reviewbot.detectors.bind import bind
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.first_file_only import DETECTOR, find
from reviewbot.detectors.shell.script import ShellFile


def hits(code: str) -> list[Hit]:
    return list(find(ShellFile(Text("ci/lint.sh", code))))


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """A folder whose first script parses, and whose second does not."""
    (tmp_path / "a.sh").write_text("echo ok\n")
    (tmp_path / "b.sh").write_text("if true; then\n")
    return tmp_path


def status(code: str, folder: Path) -> int:
    env = {"PATH": os.defpath, "LC_ALL": "C"}
    return subprocess.run(["bash", "-c", code], cwd=folder, capture_output=True, env=env).returncode


FALSE_GREEN = (
    "set -e\nbash -n a.sh b.sh\n",
    "bash -n *.sh || exit 1\n",
    "bash -n {a,b}.sh || exit 2\n",
    "set -e\nFILES='a.sh b.sh'\nbash -n $FILES\n",
    'FILES=(*.sh)\nbash -n "${FILES[@]}" || exit 1\n',
    "set -e\nbash -n $(ls *.sh)\n",
    "set -o pipefail -e\nls *.sh | xargs bash -n\n",
    "printf 'a.sh\\0b.sh\\0' | xargs -0 bash -n\n",
    "printf 'a.sh\\0b.sh\\0' | xargs -0P2 bash -n\n",
    "echo a | xargs echo; printf '%s\\n' a.sh b.sh | xargs -r bash -n\n",
)


@pytest.mark.parametrize("code", FALSE_GREEN)
def test_the_gate_passes_a_broken_file_and_fails_behind_the_edit(code: str, scripts: Path):
    (hit,) = hits(code)
    assert hit.grade is Grade.STRONG
    assert status(code, scripts) == 0
    assert hit.edit is not None
    mended = splice(Text("ci/lint.sh", code), hit.edit).content
    assert status(mended, scripts) != 0
    assert hits(mended) == []


@pytest.mark.parametrize("code", FALSE_GREEN)
def test_behind_the_edit_good_files_still_pass(code: str, scripts: Path):
    (scripts / "b.sh").write_text("echo ok\n")
    (hit,) = hits(code)
    assert hit.edit is not None
    assert status(splice(Text("ci/lint.sh", code), hit.edit).content, scripts) == 0


@pytest.mark.parametrize(
    ("code", "grade"),
    [
        ("printf '%s\\n' a.sh b.sh | xargs bash -n", Grade.STRONG),
        ("find a.sh b.sh -exec bash -n {} +", Grade.STRONG),
        ("find a.sh b.sh -exec bash -n {} \\;", Grade.HINT),
        ("printf 'a.sh\\0b.sh\\0' | xargs -0n10 bash -n", Grade.STRONG),
        ("printf '%s\\n' a.sh b.sh | xargs -rP1 bash -n", Grade.STRONG),
        ("sh -n a.sh b.sh", Grade.STRONG),
        ("bash -o noexec a.sh b.sh", Grade.STRONG),
        ("env LC_ALL=C bash -nv -- a.sh b.sh", Grade.STRONG),
    ],
)
def test_what_is_reported_passes_a_broken_file(code: str, grade: Grade, scripts: Path):
    if "noexec" in code:
        code = f"{code} # noexec"
    assert status(code, scripts) == 0
    assert [hit.grade for hit in hits(code)] == [grade]


@pytest.mark.parametrize(
    "code",
    [
        "for f in a.sh b.sh; do bash -n $f || exit 1; done",
        "printf '%s\\n' a.sh b.sh | xargs -n1 bash -n",
        "printf '%s\\n' a.sh b.sh | xargs -I% bash -n %",
        *(
            f"printf '%s\\n' a.sh b.sh | xargs {one} bash -n"
            for one in (
                "--max-args=1",
                "--max-args 1",
                "-rn1",
                "-tn 1",
                "-P2 -n '1' --",
                "-L1",
                "-rL 1",
                "-l",
            )
        ),
        *(
            f"printf 'a.sh\\0b.sh\\0' | xargs {one} bash -n"
            for one in ("-0n1", "-0 -n 1", "-0rn1", "-0P4 -n1", "-0 -P 4 -n1", "--null --max-procs 2 -n1")
        ),
        "bash -n b.sh",
    ],
)
def test_what_is_left_alone_fails_at_a_broken_file(code: str, scripts: Path):
    assert status(code, scripts) != 0
    assert hits(code) == []


def test_the_edit_leaves_another_xargs_of_its_line_alone():
    (hit,) = hits("ls | xargs rm; ls *.sh | xargs bash -n\n")
    assert hit.edit is not None
    assert hit.edit.replacement == "ls | xargs rm; ls *.sh | xargs -n1 bash -n"


def test_of_a_find_that_reads_each_file_it_says_that_nothing_fails():
    (hit,) = hits("find . -name '*.sh' -exec bash -n {} \\;\n")
    assert "Every file is read" in hit.failure
    assert "xargs -0 -n1" in hit.fix


@pytest.mark.parametrize(
    "code",
    [
        "bash -n a.sh b.sh\nmake\n",  # nothing depends on it: an exit would be new
        "if bash -n a.sh b.sh; then make; fi\n",
        "script=x\nset -e\nbash -n a.sh b.sh\n",  # the name of the loop is taken
        "set -e\nbash -n \\\n  a.sh b.sh\n",
        "set -e\nbash -n a.sh b.sh 2>/dev/null\n",
        "ls *.sh | xargs -0n9 bash -n\n",  # somebody has thought of a number
    ],
)
def test_no_edit_where_it_would_need_thought(code: str):
    (hit,) = hits(code)
    assert hit.edit is None


@pytest.mark.parametrize(
    "title",
    [
        "A CI step that cannot fail",
        "A check that cannot fail",
        "Tests which never fail",
        "A false-green gate",
        "A gate that checks only its first file",
        "`bash -n` on several files",
        "Vacuous checks",
    ],
)
def test_it_finds_its_class_in_a_skill_of_somebody_else(title: str):
    classes = (
        DefectClass(1, "a", "A failed step does not stop the run", "The job never fails loudly."),
        DefectClass(2, "b", title, "It is green whatever happens: `bash -n scripts/*.sh` reads one."),
        DefectClass(3, "c", "A masked exit code", "`test | tee log`"),
    )
    skill = Skill("s", "", "SKILL.md", SkillOrigin.PATH, "0", classes=classes)
    assert [b.defect.slug for b in bind(skill, [DETECTOR])] == ["b"]


@pytest.mark.parametrize(
    "title", ["`assert` in a verifier", "Flaky tests", "A loop that cannot finish", "Silent failures"]
)
def test_it_leaves_other_classes_alone(title: str):
    classes = (DefectClass(1, "x", title, "The check passes everything; run `bash -n` on it."),)
    assert bind(Skill("s", "", "S", SkillOrigin.PATH, "0", classes=classes), [DETECTOR]) == ()
