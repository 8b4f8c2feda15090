"""unchecked-artifact: which sizes are taken for granted, and which words announce a success."""

from __future__ import annotations

import subprocess

import pytest

from reviewbot.core.types import DefectClass, Grade, Skill, SkillOrigin, Text
from reviewbot.detectors.bind import bind
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.unchecked_artifact import DETECTOR, find_python, find_shell

PHASE = 'python3 convert_arm.py --out "$OUT"\n'


def hits(code: str) -> list[Hit]:
    return list(find_shell(ShellFile(Text("run.sh", code))))


def lines(code: str) -> list[int]:
    return [hit.start_line for hit in hits(code)]


def python_lines(body: str) -> list[int]:
    return [hit.start_line for hit in find_python(PythonFile(Text("a.py", body)))]


def test_bash_computes_with_a_file_that_is_not_there():
    code = 'set -e\nOUT=/nonexistent/x\necho "$(( $(wc -l 2>/dev/null < "$OUT") - 500 ))"\n'
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "-500\n")


def test_errexit_does_not_help_inside_arithmetic_and_does_elsewhere():
    branch = 'if [ "$rc" -eq 0 ]; then size=$(stat -c %s "$OUT"); fi\n'
    assert lines(f'set -e\n{PHASE}n=$(( $(stat -c %s "$OUT") ))\n') == [3]
    assert lines(f"set -e\n{PHASE}{branch}") == []
    assert lines(f"{PHASE}rc=$?\n{branch}") == [3]


def test_the_claims_say_what_is_measured_and_that_errexit_is_off():
    (hit,) = hits(f"{PHASE}echo done\n")
    assert hit.grade is Grade.HINT
    assert [(c.kind, c.line) for c in hit.claims] == [("absent", None), ("quote", 1)]
    assert hit.fix == '`|| exit 1` at the command, and `[ -s "$OUT" ] || exit 1` behind it.'


@pytest.mark.parametrize(
    "words",
    [
        'echo "Saved to $OUT"',
        "printf 'finished\\n'",
        "log done",
        'echo "✅ $OUT"',
        "exit 0",
        "echo; echo Success",
    ],
)
def test_what_announces_a_success(words: str):
    assert lines(f"{PHASE}{words}\n") == [2]


@pytest.mark.parametrize(
    "words",
    [
        "echo converting",
        'echo "not done: $OUT"',
        'echo "if finished, see $OUT"',
        "exit 1",
        "exit",
        "rm -f tmp",
        "echo a\necho b\necho done",
    ],
)
def test_what_announces_none(words: str):
    assert lines(f"{PHASE}{words}\n") == []


@pytest.mark.parametrize(
    "phase",
    [
        "python3 convert_arm.py --in x",
        "python3 convert_arm.py --output",
        'cp a "$OUT"',
        'python3 convert_arm.py --out "$OUT" &',
        'python3 convert_arm.py --out "$OUT" | tee log',
    ],
)
def test_what_is_no_phase_with_an_output_and_a_lost_status(phase: str):
    assert lines(f"{phase}\necho done\n") == []


@pytest.mark.parametrize(
    "look",
    [
        '[ -s "$OUT" ]',
        'test -f "$OUT"',
        'ls -l "$OUT"',
        'jq . "$OUT"',
        'find "$OUT" -name x',
        "[[ -d $OUT ]]",
    ],
)
def test_somebody_looks(look: str):
    assert lines(f"{PHASE}echo done\n{look}\n") == []


def test_a_sourced_library_may_set_errexit():
    assert lines(f". ./common.sh\n{PHASE}echo done\n") == []


@pytest.mark.parametrize(
    "condition", ["rc == 0", "done.returncode == 0", "not ret", "self.exit_code == 0", "proc.returncode == 0"]
)
def test_statuses_in_python(condition: str):
    assert python_lines(f"if {condition}:\n    size = os.path.getsize(out)\n") == [2]


@pytest.mark.parametrize(
    "code",
    [
        "if rc != 0:\n    os.path.getsize(out)\n",
        "if count == 0:\n    os.path.getsize(out)\n",
        "if rc == 0:\n    os.stat(out, follow_symlinks=False).st_size\n",
        "if rc == 0 and os.path.exists(out):\n    os.path.getsize(out)\n",
        "if rc == 0:\n    if out.exists():\n        out.stat()\n",
        "if rc == 0:\n    try:\n        out.stat()\n    except OSError:\n        pass\n",
        "if rc == 0:\n    out.exists() or fail()\n    out.stat()\n",
    ],
)
def test_sizes_that_are_no_proof_of_anything(code: str):
    assert python_lines(code) == []


@pytest.mark.parametrize(
    "title",
    [
        "Success reported without an output file",
        "Exit code 0 with nothing written",
        "A success message and no result",
        "Zero exit with no output",
    ],
)
def test_titles_that_bind(title: str):
    skill = Skill("s", "", "S", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, ""),))
    assert [b.defect.title for b in bind(skill, [DETECTOR])] == [title]


@pytest.mark.parametrize(
    "title", ["A masked exit code", "Outputs without a schema", "A result under the wrong name", "Dead code"]
)
def test_titles_that_do_not(title: str):
    skill = Skill("s", "", "S", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, ""),))
    assert bind(skill, [DETECTOR]) == ()
