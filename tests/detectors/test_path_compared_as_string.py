"""path-compared-as-string: guards that a spelling gets past, shown by running them, and their look-alikes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from reviewbot.core.types import DefectClass, Grade, Skill, SkillOrigin, Text
from reviewbot.detectors.bind import bind
from reviewbot.detectors.path_compared_as_string import BAD, DETECTOR, find_python, find_shell
from reviewbot.detectors.python import PythonFile
from reviewbot.detectors.shell.script import ShellFile


def shell(code: str) -> list[tuple[int, Grade]]:
    return [(h.start_line, h.grade) for h in find_shell(ShellFile(Text("run.sh", code)))]


def python(*body: str, path: str = "tool.py") -> list[Grade]:
    code = "def guard(path, root, args):\n" + "".join(f"    {line}\n" for line in body)
    return [h.grade for h in find_python(PythonFile(Text(path, code)))]


@pytest.mark.parametrize(("other", "status"), [("data", 1), ("data/", 0), ("./data", 0), ("x/../data", 0)])
def test_the_first_example_lets_the_other_spellings_of_a_folder_through(
    tmp_path: Path, other: str, status: int
):
    for name in ("data", "x"):
        (tmp_path / name).mkdir()
    guard = BAD[0].code.rpartition("cp -r")[0]
    done = subprocess.run(["bash", "-c", guard, "run.sh", "data", other], cwd=tmp_path, check=False)
    assert done.returncode == status


def test_a_sibling_folder_begins_like_the_root(tmp_path: Path):
    space: dict[str, object] = {}
    exec(BAD[3].code, space)
    target = space["target"]
    assert callable(target)
    (tmp_path / "run").mkdir()
    assert target(str(tmp_path / "run"), "../run-old/x").endswith("run/../run-old/x")
    with pytest.raises(ValueError, match="elsewhere"):
        target(str(tmp_path / "run"), "../elsewhere")


@pytest.mark.parametrize(
    "guard",
    [
        '[ "$SRC_DIR" = "$OUT_DIR" ] && exit 1',
        "[[ $SRC_DIR != $OUT_DIR ]] || exit 1",
        'if [ "${SRC_DIR}" == "${OUT_DIR}" ]; then echo same; exit 2; fi',
        'if [ "$SRC_DIR" != "$OUT_DIR" ]; then rm -r "$OUT_DIR"; fi',
        'test "$SRC_DIR" = "$OUT_DIR" && return 1',
        'if [ -n "$a" ] && [ "$SRC_DIR" = "$OUT_DIR" ]; then exit 1; fi',
    ],
)
def test_shell_guards(guard: str):
    assert shell(f"f() {{\n{guard}\n}}\n") == [(2, Grade.STRONG)]
    for resolved in ('OUT_DIR=$(realpath "$1")', 'OUT_DIR=$(cd "$1" && pwd)', "OUT_DIR=`readlink -f $1`"):
        both = f"{resolved}\n{resolved.replace('OUT', 'SRC')}\n"
        assert shell(f"{both}f() {{\n{guard}\n}}\n") == []
        assert shell(f"{resolved}\nf() {{\n{guard}\n}}\n") == [(3, Grade.STRONG)]


@pytest.mark.parametrize(
    "guard",
    [
        '[ "$SRC_DIR" = "$OUT_DIR" ] && echo same',
        '[ "$SRC_DIR" = "$OUT_DIR" ] && exit 0',
        '[ "$SRC_DIR" = "$SRC_DIR" ] && exit 1',
        '[ "$SRC_DIR" = /data ] && exit 1',
        '[ "$SRC_DIR" != "$OUT_DIR" ] && exit 1',
        '[ "$SRC_DIR" = "$OUT_DIR" ] || exit 1',
        'if ! [ "$SRC_DIR" = "$OUT_DIR" ]; then exit 1; fi',
        '[ "$SRC_DIR" = "$OUT_DIR/x" ] && exit 1',
        '[ "$PWD" = "$HOME" ] && exit 1',
        '[ "$src_rank" = "$out_rank" ] && exit 1',
        'while [ "$SRC_DIR" != "$OUT_DIR" ]; do exit 1; done',
    ],
)
def test_shell_comparisons_that_are_no_guards(guard: str):
    assert shell(f"{guard}\n") == []


@pytest.mark.parametrize(
    ("lines", "grade"),
    [
        (("if not os.path.realpath(path).startswith(os.path.realpath(root)):", "    raise E"), Grade.STRONG),
        (("if not str(path).startswith(str(root)):", "    raise E"), Grade.STRONG),
        (
            ("root = root.resolve()", "if not str(path).startswith(str(root)):", "    sys.exit(1)"),
            Grade.STRONG,
        ),
        (("path = os.path.abspath(path)", 'if not path.startswith("/data"):', "    raise E"), Grade.STRONG),
        (("if os.path.abspath(path).startswith(root):", "    use()", "else:", "    raise E"), Grade.HINT),
        (("root = os.path.abspath(root)", "if not path.startswith(root):", "    return False"), Grade.HINT),
    ],
)
def test_python_guards(lines: tuple[str, ...], grade: Grade):
    assert python(*lines) == [grade]


@pytest.mark.parametrize(
    ("name", "behind", "grade"),
    [
        ("is_library_frame", "log(is_library_frame(f))", None),
        ("is_library_frame", "if not is_library_frame(f):\n    raise E", Grade.STRONG),
        ("is_library_frame", "if self.is_library_frame(f):\n    use()\nelse:\n    sys.exit(1)", Grade.STRONG),
        ("is_library_frame", "if is_library_frame(f):\n    return", None),
        ("is_inside", "log(f)", Grade.HINT),
    ],
)
def test_an_answer_that_only_classifies_guards_nothing(name: str, behind: str, grade: Grade | None):
    code = f"def {name}(f):\n    return os.path.abspath(f).startswith(os.path.abspath(ROOT))\n"
    code += "def use(f):\n" + "".join(f"    {line}\n" for line in behind.split("\n"))
    found = [h.grade for h in find_python(PythonFile(Text("tool.py", code)))]
    assert found == [grade] * (grade is not None)


def test_each_comparison_of_a_condition_is_looked_at():
    body = ("out = Path(args.out)", "if path.resolve() != out and out.resolve() == args.src:", "    x()")
    assert python(*body) == [Grade.STRONG, Grade.STRONG]


@pytest.mark.parametrize(
    "lines",
    [
        (
            "root = os.path.abspath(root)",
            "if path.startswith(root + os.sep):",
            "    pass",
            "else:",
            "    raise E",
        ),
        ("root = os.path.realpath(root) + '/'", "if not path.startswith(root):", "    raise E"),
        ("if not os.path.abspath(path).startswith(os.path.join(root, '')):", "    raise E"),
        ("if not str(path.resolve()).startswith(f'{root.resolve()}/'):", "    raise E"),
        ("a = os.path.abspath(path)", "if not a.startswith(('x', 'y')):", "    raise E"),
        ("a = os.path.abspath(path)", "if not a.startswith('file'):", "    raise E"),
        ("a = os.path.abspath(path)", "if not args.mode.startswith(root):", "    raise E"),
        ("a = os.path.abspath(root)", "if not frame.f_code.co_filename.startswith(a):", "    return 1"),
        ("a = os.path.abspath(root)", "if path.startswith(a):", "    path = path[len(a):]"),
        ("if path.resolve() == root.resolve():", "    raise E"),
        ("if args.out.resolve() == args.out:", "    raise E"),
        ("out = args.out.resolve()", "if out == args.out:", "    raise E"),
        ("path = os.path.abspath(path)", "if os.path.realpath(root) == path:", "    raise E"),
        ("for path in args.paths:", "    if os.path.realpath(root) == path:", "        raise E"),
        ("if resolver.resolve(path) == args.value:", "    raise E"),
        ("if os.path.abspath(path) == root:", "    raise E"),
    ],
)
def test_python_comparisons_that_are_sound_or_unknown(lines: tuple[str, ...]):
    assert python(*lines) == []


def test_a_parameter_that_is_resolved_in_one_branch_only_is_not_resolved():
    guard = ("if path == args.out:", "    raise E")
    assert python("if os.path.isabs(path):", "    path = os.path.realpath(path)", *guard) == []
    assert python("path = os.path.realpath(path)", *guard) == [Grade.STRONG]


def test_a_test_file_may_compare_as_it_likes():
    assert python("if path.resolve() == args.out:", "    raise E", path="tests/test_a.py") == []


def test_names_that_are_made_of_each_other_end():
    chain = [f"a{i} = a{i + 1} or b{i}" for i in range(500)] + [
        f"b{i} = os.path.join(b{i + 1}, a{i})" for i in range(500)
    ]
    assert python(*chain, "if os.path.realpath(a0) == b0:", "    raise E") == []
    many = ["x = os.path.join(x, y)", "y = os.path.join(y, x)"] * 2000
    assert python(*many, "if os.path.realpath(x) == y:", "    raise E") == []


def test_a_long_list_of_comparisons_in_shell():
    code = " || ".join(['[ "$SRC_DIR" = "$OUT_DIR" ]'] * 2000) + " || exit 1\n"
    found = find_shell(ShellFile(Text("run.sh", code)))
    assert all(h.start_line == 1 for h in found)


@pytest.mark.parametrize(
    "title",
    [
        "String comparison of paths",
        "Comparing paths as strings",
        "Text comparison of two folders",
        "Path checks with `startswith`",
        "Path prefix checks without a separator",
    ],
)
def test_titles_that_bind(title: str):
    skill = Skill("s", "", "S", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, ""),))
    assert [b.defect.title for b in bind(skill, [DETECTOR])] == [title]


@pytest.mark.parametrize(
    "title", ["Hard-coded paths", "String concatenation in loops", "Two paths to one state"]
)
def test_titles_that_do_not(title: str):
    skill = Skill("s", "", "S", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, ""),))
    assert bind(skill, [DETECTOR]) == ()


ARGUMENT = """\
import argparse, sys
from pathlib import Path
p = argparse.ArgumentParser()
p.add_argument("--out-dir", type={})
args = p.parse_args()
src = Path("x").resolve()
if args.out_dir == src:
    sys.exit(1)
"""


def module(code: str) -> list[Grade]:
    return [hit.grade for hit in find_python(PythonFile(Text("tool.py", code)))]


def test_an_argument_whose_type_may_resolve_it_is_not_raw():
    assert module(ARGUMENT.format("lambda s: Path(s).resolve()")) == []
    assert module(ARGUMENT.format("Path"))


@pytest.mark.parametrize(("left", "right"), [("PATH", "OLD_PATH"), ("MERKLE_ROOT", "OLD_ROOT")])
def test_a_list_of_folders_and_a_root_of_hashes_are_no_path(left, right):
    guard = '[ "$%s" = "$%s" ] && exit 1\n'
    assert shell(guard % (left, right)) == []
    assert shell(guard % ("OUT_PATH", "OLD_PATH"))


def test_an_integer_of_5000_digits_is_shown_as_it_is_written():
    number = "0x1" + "0" * 5000
    guard = f"if not path.startswith(root + str({number})):\n    raise X\n"
    assert module("import os\nroot = os.path.realpath('x')\n" + guard)
