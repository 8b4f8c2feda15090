"""What is run on a change: every gate has a run, every file is in one, and nobody's reason is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.gates import config_paths, plan_gates, rehearse_gates
from reviewbot.core.types import Assignment, GatePlan, GateStatus, Scope, Text, Texts
from tests.gate_cases import plan, scope, skill, spec, texts

SH = "#!/bin/bash\n"
FILES = {
    "scripts/a.sh": SH,
    "scripts/deep/b.sh": SH,
    "scripts/c.py": "",
    "launch": SH,
    "run.sh": SH,
    "docs/x.md": "",
}


def files_of(made: GatePlan) -> list[list[str]]:
    return [[text.path for text in run.files] for run in made.runs]


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("bash -n scripts/<each>.sh", [["scripts/a.sh"]]),
        ("bash -n scripts/**/*.sh", [["scripts/a.sh"], ["scripts/deep/b.sh"]]),
        ("bash -n *.sh", [["scripts/a.sh"], ["scripts/deep/b.sh"], ["run.sh"]]),
        ("bash -n run.sh scripts/a.sh", [["scripts/a.sh"], ["run.sh"]]),
        ("bash -n ./run.sh", [["run.sh"]]),
        ("shellcheck <each>", [["scripts/a.sh"], ["scripts/deep/b.sh"], ["launch"], ["run.sh"]]),
        ("shellcheck scripts/", [["scripts/a.sh"], ["scripts/deep/b.sh"]]),
        ("shellcheck scripts/{a,x}.sh", [["scripts/a.sh"]]),
        ("python3 -m py_compile scripts/*", [["scripts/c.py"]]),
        ("python3 -m py_compile <each>", [["scripts/c.py"]]),
    ],
)
def test_patterns_name_the_changed_files_of_the_tools_language(line: str, files: list[list[str]]):
    assert files_of(plan(FILES, line)) == files


def test_the_command_is_the_words_of_the_author_and_the_files():
    runs = plan({"-rf.sh": SH, "a b.sh": SH}, "shellcheck -S warning <each>").runs
    assert [run.argv[3:] for run in runs] == [("./-rf.sh",), ("a b.sh",)]
    (run,) = plan({"-rf.py": "", "a b.py": ""}, "python3 -m py_compile <each>").runs
    assert run.argv == ("python3", "-m", "py_compile", "./-rf.py", "a b.py")


def test_a_gate_without_files_is_skipped_and_says_so():
    (run,) = plan({"a.txt": ""}, "bash -n scripts/*.sh other.sh").runs
    assert (run.verdict, run.reason) == (
        GateStatus.SKIPPED,
        "no changed file matches scripts/*.sh other.sh",
    )
    assert run.argv == ("bash", "-n", "scripts/*.sh", "other.sh")


@pytest.mark.parametrize(
    ("gate", "reason"),
    [
        (spec("ssh host x", "refused", "`ssh` uses the network"), "`ssh` uses the network"),
        (spec("mypy ."), "is not one of the commands that only parse"),
        (spec("bash -n ../x.sh"), "`../x.sh` is not a path inside the repository"),
        (spec("bash -n /etc/profile"), "is not a path inside the repository"),
    ],
)
def test_what_does_more_than_parse_is_refused(gate, reason):
    (run,) = plan({"x.sh": SH}, gate).runs
    assert run.verdict is GateStatus.REFUSED
    assert reason in run.reason
    assert run.argv == gate.argv


def test_what_executes_is_one_run_on_the_whole_tree():
    (run,) = plan({"x.sh": SH, "y.sh": SH}, spec("./tests/run.sh a", "executing", "it runs code")).runs
    assert (run.executes, run.verdict, run.argv, run.files) == (True, None, ("./tests/run.sh", "a"), ())


def test_a_skill_that_claims_nothing_plans_nothing():
    assert plan({}, "bash -n <each>", spec("./tests/run.sh", "executing")).runs == ()


def test_partial_and_unread_files_are_skipped_by_name():
    files = {"a.sh": SH, "b.sh": SH}
    known = Texts(texts(files).side, {"a.sh": Text("a.sh", SH, partial=True)}, {"b.sh": "not UTF-8"})
    runs = plan_gates(scope(files, skill("shellcheck <each>")), known, {}).runs
    assert [(run.verdict, run.argv[-1], run.reason) for run in runs] == [
        (GateStatus.SKIPPED, "a.sh", "only the hunks of the patch are known"),
        (GateStatus.SKIPPED, "b.sh", "not read: not UTF-8"),
    ]


def test_large_changes_are_split_and_odd_names_are_alone():
    names = [f"f{i}.py" for i in range(120)] + ["n\nl.py"]
    runs = plan(dict.fromkeys(names, ""), "python3 -m py_compile <each>").runs
    assert [len(run.files) for run in runs] == [100, 20, 1]


def test_bash_reads_no_bats_and_sh_no_bash():
    files = {"t.bats": "", "b.sh": SH, "s.sh": "#!/bin/sh\n", "z.sh": "#!/bin/zsh\n"}
    assert files_of(plan(files, "bash -n <each>")) == [["b.sh"], ["s.sh"]]
    assert files_of(plan(files, "sh -n <each>")) == [["s.sh"]]
    assert files_of(plan(files, "shellcheck <each>")) == [["t.bats"], ["b.sh"], ["s.sh"]]


def test_extended_patterns_are_switched_on_where_the_script_does():
    runs = plan(
        {"e.sh": "shopt -s nullglob extglob\nrm !(a)\n", "p.sh": "echo extglob\n"}, "bash -n <each>"
    ).runs
    assert [run.argv for run in runs] == [("bash", "-O", "extglob", "-n", "e.sh"), ("bash", "-n", "p.sh")]


PYTHON = {"a.py": "import os\n", "ruff.toml": "select = []", ".shellcheckrc": "disable=all"}


class TestConfiguration:
    def test_it_may_lie_beside_the_files_and_above(self):
        paths = config_paths(["a/b/x.py", "a/y.py", "z.py"])
        assert [p for p in paths if p.endswith("pyproject.toml")] == [
            "pyproject.toml",
            "a/pyproject.toml",
            "a/b/pyproject.toml",
        ]
        assert {p.rpartition("/")[2] for p in paths} == {
            "pyproject.toml",
            "ruff.toml",
            ".ruff.toml",
            ".shellcheckrc",
        }

    def test_ruff_runs_only_where_base_configures_it(self):
        (run,) = plan(PYTHON, "ruff check .", pyproject_toml="[project]\nname='x'\n").runs
        assert (run.verdict, run.reason) == (GateStatus.SKIPPED, "the repository does not configure ruff")
        assert run.argv == ("ruff", "check", "a.py")

    @pytest.mark.parametrize(
        "config",
        [
            {"ruff_toml": ""},
            {"_ruff_toml": "x=1"},
            {"pyproject_toml": "[project]\n[tool.ruff.lint]\nselect=['F']\n"},
        ],
    )
    def test_the_configuration_is_that_of_base(self, config: dict[str, str]):
        (run,) = plan(PYTHON, "ruff check .", **config).runs
        assert run.verdict is None
        assert [text.content for text in run.config] == list(config.values())

    def test_a_nested_configuration_speaks_for_its_folder(self):
        files = {"pkg/a.py": "", "b.py": ""}
        own = plan_gates(scope(files, skill("ruff check .")), texts(files), {"pkg/ruff.toml": b""})
        assert [(run.argv[-1], run.verdict) for run in own.runs] == [
            ("pkg/a.py", None),
            ("b.py", GateStatus.SKIPPED),
        ]

    @pytest.mark.parametrize(
        "config",
        [{"ruff_toml": "extend = '/etc/passwd'"}, {"pyproject_toml": "[tool.ruff]\nextend = '../x.toml'\n"}],
    )
    def test_a_configuration_that_reads_other_files_is_not_obeyed(self, config: dict[str, str]):
        (run,) = plan(PYTHON, "ruff check .", **config).runs
        assert run.verdict is GateStatus.SKIPPED
        assert "extends another file" in run.reason

    def test_of_shellcheckrc_only_the_harmless_lines_are_obeyed(self):
        rc = "# ours\ndisable=SC2034,SC2154\nexternal-sources=true\nsource-path=/etc\nshell=bash\n"
        files = {"a.sh": SH}
        own = plan_gates(
            scope(files, skill("shellcheck <each>")), texts(files), {".shellcheckrc": rc.encode()}
        )
        assert own.runs[0].config == (Text(".shellcheckrc", "disable=SC2034,SC2154\nshell=bash\n"),)


def test_codes_of_suppress_classes_go_with_the_files_they_are_for():
    loud, quiet = (
        skill("shellcheck <each>", name="a"),
        skill(name="b", suppress="SC2034 and E501 are wrong here"),
    )
    files = {"a.sh": SH, "b.sh": SH}
    both = scope(files, loud, quiet)
    narrow = both._replace(assignments=(both.assignments[0], both.assignments[1]._replace(paths=("b.sh",))))
    runs = plan_gates(narrow, texts(files), {}).runs
    assert [(run.argv[-1], run.forbidden) for run in runs] == [("a.sh", ()), ("b.sh", ("E501", "SC2034"))]


class TestRehearsal:
    def test_the_gates_of_the_file_run_on_the_new_text_alone(self):
        made = plan({"a.sh": SH, "b.sh": SH}, "bash -n <each>", "shellcheck <each>", spec("./x", "executing"))
        new = Text("a.sh", "echo new\n")
        runs = rehearse_gates(made, new)
        assert [(run.argv, run.files) for run in runs] == [
            (("bash", "-n", "a.sh"), (new,)),
            (("shellcheck", "a.sh"), (new,)),
        ]

    @pytest.mark.parametrize(
        ("path", "content", "argv"),
        [
            ("x.sh", SH, ("bash", "-n", "x.sh")),
            ("launch", SH, ("bash", "-n", "launch")),
            ("x.py", "", ("python3", "-m", "py_compile", "x.py")),
        ],
    )
    def test_the_syntax_is_checked_even_if_no_skill_asks(
        self, path: str, content: str, argv: tuple[str, ...]
    ):
        (run,) = rehearse_gates(GatePlan(()), Text(path, content))
        assert run.syntax
        assert run.argv == argv

    def test_a_language_without_a_check_has_none(self):
        assert rehearse_gates(GatePlan(()), Text("x.md", "")) == ()


def test_where_no_text_is_left_only_what_executes_is_planned():
    own = skill("bash -n <each>", spec("./suite.sh", "executing"), spec("./one.sh <each>", "executing"))
    for touched, lines in ((True, ["./suite.sh"]), (False, [])):
        empty = Scope((Assignment(own, (), touched),), (), ())
        assert [run.spec.line for run in plan_gates(empty, texts({}), {}).runs] == lines


LINES = [
    "bash -n <each>",
    "shellcheck *.sh",
    "ruff check .",
    "sh -n a/<x>.sh",
    "./x",
    "python3 -m py_compile *.py",
]
PATHS = st.sampled_from(["a.sh", "a/b.sh", "c.py", "a/d.py", "run", "n\nl.sh", "\udcff.py", "-x.sh", "x.md"])


@given(st.sets(PATHS), st.lists(st.sampled_from(LINES), max_size=4, unique=True), st.booleans())
def test_every_gate_has_a_run_and_no_file_is_in_two(paths: set[str], lines: list[str], configured: bool):
    files = dict.fromkeys(sorted(paths), SH)
    made = plan(files, *lines, **({"ruff_toml": ""} if configured else {}))
    assert {run.spec.line for run in made.runs} == (set(lines) if files else set())
    for line in lines:
        own = [text.path for run in made.runs if run.spec.line == line for text in run.files]
        assert len(own) == len(set(own))
        assert set(own) <= paths
    for run in made.runs:
        assert bool(run.files) != bool(run.verdict)
        assert bool(run.reason) or run.verdict is None
