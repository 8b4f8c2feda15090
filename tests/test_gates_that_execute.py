"""Gates that execute code, at the front door: what runs, where, whose fault it is, what is refused."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from reviewbot.gates.process import Children
from reviewbot.gates.sandbox import Ended, Job, Sandbox, interpreter
from tests.commands import finish
from tests.repos import Repo
from tests.skillfiles import TWIN

SKILL = """\
---
name: gates
description: Review by gates.
---
# Gates

## Defect classes

1. **An argument hole.** A flag without its value ends the run. Fix: look first.

## Gates

```bash gate
{lines}
```
"""
NOTHING_ELSE = SKILL.replace("An argument hole.", "A lost hour.")  # a class that no detector reads for
FINE = "#!/bin/bash\nexit 0\n"
NO_MODULE = (
    "the Python module nosuch is not there for it to use (the system's Python ran it: see [gates] python)"
)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.write("a.sh", "#!/bin/bash\necho a\n")
    monkeypatch.chdir(repo.path)
    return repo


class Reviewed:
    """The report of a review, and its exit code."""

    def __init__(self, code: int, document: dict[str, Any]) -> None:
        self.code = code
        self.verdict = document["verdict"]
        self.incomplete = [(i["stage"], i["what"], i["why"]) for i in document["incomplete"]]
        self.undone = [(what, why) for stage, what, why in self.incomplete if stage == "gate"]
        self.gates = [(g["status"], g["blame"], g["reason"]) for g in document["gates"]]
        self.tails = [g["tail"] for g in document["gates"]]
        self.findings = document["findings"]

    @property
    def places(self) -> list[tuple[str, int, str, bool]]:
        return [(f["path"], f["line"], f["title"], f["preexisting"]) for f in self.findings]


def head(repo: Repo, **files: str) -> None:
    """Commits what is there as base, and a change of these files (their names with "_" for ".")."""
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    repo.write("a.sh", "#!/bin/bash\necho b\n")
    for name, text in files.items():
        repo.write(name.replace("_", "."), text, 0o755)
    repo.commit("head")


@pytest.fixture
def review(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def ask(*lines: str, argv: tuple[str, ...] = ("main",), skill: str = SKILL) -> Reviewed:
        path = tmp_path / "SKILL.md"
        path.write_text(skill.format(lines="\n".join(lines)))
        code = cli.run(["diff", *argv, "--skill", str(path), "--format", "json"])
        out, err = capsys.readouterr()
        assert err == ""
        return Reviewed(code, json.loads(out))

    return ask


# --- what runs, and on what ---------------------------------------------------------------


def test_a_gate_sees_the_whole_tree_at_head_and_nothing_of_git(repo: Repo, review: Any) -> None:
    repo.write("lib/untouched.txt", "kept\n")
    repo.link("link", "lib/untouched.txt")
    check = "#!/bin/bash\nset -eu\ncat link\ncat a.sh\ntest ! -e .git\ntest -x run.sh\necho $1 >new\n"
    head(repo, run_sh=check)
    found = review("./run.sh 'a b'")
    assert (found.code, found.verdict, found.gates) == (0, "clean", [("passed", "unknown", "")])
    assert found.tails == ["kept\n#!/bin/bash\necho b"]
    assert not (repo.path / "new").exists()


@pytest.mark.parametrize("mode", ["staged", "worktree"])
def test_the_index_and_the_work_tree_are_trees_too(repo: Repo, review: Any, mode: str) -> None:
    repo.write("run.sh", "#!/bin/bash\ncat a.sh; ls -A\n", 0o755)
    repo.write(".gitignore", "ignored\n")
    repo.write("gone", "")
    repo.commit("base")
    repo.write("a.sh", "echo staged\n")
    repo.git("rm", "-q", "gone")
    repo.git("add", "a.sh")
    repo.write("a.sh", "echo on disk\n")
    repo.write("ignored", "")
    repo.write("untracked", "")
    text = {"staged": "echo staged", "worktree": "echo on disk"}[mode]
    more = ["untracked"] if mode == "worktree" else []
    found = review("./run.sh", argv=(f"--{mode}",))
    assert found.tails == ["\n".join([text, ".gitignore", "a.sh", "run.sh", *more])]


def test_a_patch_says_on_no_tree(repo: Repo, review: Any, tmp_path: Path) -> None:
    repo.write("run.sh", FINE, 0o755)
    head(repo)
    (tmp_path / "fix.patch").write_bytes(repo.git_bytes("diff", "main"))
    found = review("./run.sh", argv=("--patch", str(tmp_path / "fix.patch")))
    assert found.code == 3
    assert found.gates == [("refused", "unknown", "a patch does not say on what tree it stands")]


def test_the_same_gate_of_two_lines_runs_once(repo: Repo, review: Any) -> None:
    head(repo, run_sh="#!/bin/bash\nod -An -N8 -tx8 /dev/urandom\n")
    found = review("./run.sh", "./run.sh # again")
    assert len(found.tails) == 2
    assert found.tails[0] == found.tails[1]


def test_the_procedure_of_a_real_skill(repo: Repo, review: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Each file is a process of its own, so the second broken one is seen; nothing is redirected into a
    file called `.sh`; and the fence with ssh is nobody's to run."""
    (repo.path / "a.sh").unlink()
    repo.write("tools/build-prompt-set.py", "print(1)\n")
    repo.write("tools/export-one.sh", FINE)
    repo.write("tools/export-two.sh", FINE)
    repo.write("tests/all.sh", '#!/bin/bash\nset -eu\nfor f in tools/*.py; do python3 "$f"; done\n', 0o755)
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    repo.write("tools/build-prompt-set.py", "print(2)\n")
    repo.write("tools/export-one.sh", FINE + "# more\n")
    repo.write("tools/export-two.sh", "#!/bin/bash\nif true; then\n")
    repo.commit("head")
    code = cli.run(["diff", "main", "--skill", str(TWIN), "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    ran = [(g["command"], g["status"]) for g in document["gates"]]
    assert ran == [
        (["python3", "-m", "py_compile", "tools/build-prompt-set.py"], "passed"),
        (["bash", "-n", "tools/export-one.sh"], "passed"),
        (["bash", "-n", "tools/export-two.sh"], "failed"),
        (["shellcheck", "-S", "warning", "tools/export-one.sh"], "passed"),
        (["shellcheck", "-S", "warning", "tools/export-two.sh"], "failed"),
        (["./tests/all.sh"], "passed"),
    ]
    assert code == 1
    assert document["incomplete"] == []
    assert {f["path"] for f in document["findings"]} == {"tools/export-two.sh"}
    assert "ssh" not in json.dumps(document["gates"])
    assert not [name for _, _, files in os.walk(repo.path) for name in files if name == ".sh"]


def test_a_review_without_such_a_gate_does_not_know_of_the_sandbox(repo: Repo, tmp_path: Path) -> None:
    head(repo, run_sh=FINE)
    (tmp_path / "SKILL.md").write_text(SKILL.format(lines="bash -n a.sh"))
    program = (
        "import sys; from reviewbot import cli; "
        f"code = cli.run(['diff', 'main', '--skill', {str(tmp_path / 'SKILL.md')!r}]); "
        "print(code, [name for name in sys.modules if 'sandbox' in name or 'wholetree' in name])"
    )
    code, out, err = finish([sys.executable, "-c", program])
    assert (code, out.splitlines()[-1], err) == (0, "0 []", "")


# --- whose fault a failure is -------------------------------------------------------------


def test_a_new_failure_without_a_place_stands_at_the_line_of_the_skill(repo: Repo, review: Any) -> None:
    repo.write("run.sh", FINE, 0o755)
    head(repo, run_sh="#!/bin/bash\necho one; echo it is broken >&2; exit 4\n")
    found = review("./run.sh # the suite")
    (finding,) = found.findings
    assert (found.code, found.gates) == (1, [("failed", "new", "")])
    assert (finding["title"], finding["placement"]) == ("`./run.sh` fails", "table")
    assert (finding["path"].rpartition("/")[2], finding["quote"]) == ("SKILL.md", "./run.sh # the suite")
    assert "exits 4, and said last: it is broken" in finding["failure"]
    assert found.tails == ["one\nit is broken"]


def test_a_failure_of_both_sides_is_old(repo: Repo, review: Any) -> None:
    repo.write("run.sh", "#!/bin/bash\nexit 3\n", 0o755)
    head(repo, run_sh="#!/bin/bash\n# as before\nexit 3\n")
    found = review("./run.sh")
    assert (found.code, found.gates) == (0, [("failed", "preexisting", "")])
    assert [place[2:] for place in found.places] == [("`./run.sh` fails", True)]


def test_an_abort_is_not_excused_by_the_failure_that_base_had(repo: Repo, review: Any) -> None:
    """Neither names a place, so the two compared equal: preexisting, and clean."""
    repo.write("run.sh", "#!/bin/bash\nexit 1\n", 0o755)
    head(repo, run_sh="#!/bin/bash\nkill -ABRT $$\n")
    found = review("./run.sh")
    assert (found.code, found.gates) == (3, [("failed", "unknown", "")])
    why = "it exits 134, and 1 on base: new and old cannot be told apart"
    assert found.incomplete == [("verify", "./run.sh", why)]
    assert [place[2:] for place in found.places] == [("`./run.sh` fails", False)]


@pytest.mark.parametrize(("faults", "code"), [(1, 0), (50, 0), (60, 3)])
def test_a_fault_behind_those_that_are_read_is_not_called_old(
    repo: Repo, review: Any, faults: int, code: int
) -> None:
    """Of 61 faults 50 were read, and base had these."""
    repo.write("x.txt", "x\n" * 99)
    script = "#!/bin/bash\nfor i in {1..%d}; do echo x.txt:$i: wrong $i.; done; exit 1\n"
    repo.write("run.sh", script % faults, 0o755)
    head(repo, run_sh=script % max(faults, 61 * (faults == 60)))
    found = review("./run.sh")
    assert (found.code, found.gates[0][1]) == (code, "unknown" if code else "preexisting")
    if code:
        why = "not all of its output is known: new and old cannot be told apart"
        assert found.incomplete == [("verify", "./run.sh", why)]


def test_a_fault_in_the_part_of_an_output_that_was_cut_is_not_called_old(repo: Repo, review: Any) -> None:
    blank = "head -c 400000 /dev/zero | tr '\\0' '\\n'\n"
    script = f"#!/bin/bash\n{blank}%s\n{blank}exit 1\n"
    repo.write("run.sh", script % "true", 0o755)
    head(repo, run_sh=script % "echo run.sh:1: wrong")
    found = review("./run.sh")
    assert (found.code, found.gates) == (3, [("failed", "unknown", "")])


def test_another_crash_without_a_place_is_not_called_old(repo: Repo, review: Any) -> None:
    """Base said `base broken`, head `everything broke`, both exited 1: preexisting, and clean."""
    repo.write("run.sh", "#!/bin/bash\necho base broken; exit 1\n", 0o755)
    head(repo, run_sh="#!/bin/bash\necho everything broke; exit 1\n")
    found = review("./run.sh")
    why = "it says what it does not on base, 'everything broke': new and old cannot be told apart"
    assert (found.code, found.incomplete) == (3, [("verify", "./run.sh", why)])


@pytest.mark.parametrize("script", [FINE, "#!/bin/bash\nexit 1\n"])
def test_the_gate_of_a_skill_reads_the_files_of_that_skill(repo: Repo, review: Any, script: str) -> None:
    repo.write("run.sh", script, 0o755)
    head(repo)
    found = review("./run.sh", skill=NOTHING_ELSE)
    assert (found.code, found.verdict, found.incomplete) == (0, "clean", [])


def _gone(repo: Repo) -> None:
    repo.file("lib.dat").unlink()


def _moved(repo: Repo) -> None:
    repo.file("lib.dat").rename(repo.file("other.txt"))


def _linked(repo: Repo) -> None:
    _gone(repo)
    repo.link("lib.dat", "other")


def _binary(repo: Repo) -> None:
    repo.file("lib.dat").write_bytes(b"\0")


@pytest.mark.parametrize("change", [_gone, _moved, _linked, _binary])
def test_what_is_no_text_any_more_can_break_a_gate(repo: Repo, review: Any, change: Any) -> None:
    """`clean: nothing in scope`, and the suite was red."""
    repo.write("lib.dat", "x = 1\n")
    repo.write("run.sh", "#!/bin/bash\ngrep -q 'x = 1' lib.dat\n", 0o755)
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    change(repo)
    repo.commit("head")
    scoped = SKILL.replace("## Defect", "## Files in scope\n\n| Files |\n|---|\n| `*.dat` |\n\n## Defect")
    found = review("./run.sh", skill=scoped)
    assert (found.code, found.gates[0][:2]) == (1, ("failed", "new"))


def test_a_change_of_what_no_row_names_runs_no_gate(repo: Repo, review: Any) -> None:
    repo.write("lib.txt", "x\n")
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    repo.file("lib.txt").unlink()
    repo.commit("head")
    scoped = SKILL.replace("## Defect", "## Files in scope\n\n| Files |\n|---|\n| `*.py` |\n\n## Defect")
    assert review("false", skill=scoped).gates == []


def test_a_second_failure_beside_an_old_one_is_new(repo: Repo, review: Any) -> None:
    test = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.fail('old')\n"
    repo.write("check.py", test)
    head(repo, check_py=f"\n{test}    def test_b(self):\n        self.fail('new')\n")
    found = review("python3 -m unittest check.py")
    assert found.code == 1
    assert found.places == [
        ("check.py", 7, "AssertionError: new", False),
        ("check.py", 5, "AssertionError: old", True),
    ]


def test_a_script_that_is_new_and_fails_is_new(repo: Repo, review: Any) -> None:
    head(repo, run_sh="#!/bin/bash\nexit 1\n")
    assert review("bash run.sh").gates == [("failed", "new", "")]


def test_a_failure_outside_the_change_is_quoted_all_the_same(repo: Repo, review: Any) -> None:
    repo.write("value.py", "VALUE = 1\n")
    repo.write("lib/use.py", "import sys\nsys.path.insert(0, '.')\nimport value\nprint(1 / value.VALUE)\n")
    head(repo, value_py="VALUE = 0\n")
    found = review("python3 lib/use.py")
    (finding,) = found.findings
    assert (finding["path"], finding["line"], finding["quote"]) == ("lib/use.py", 4, "print(1 / value.VALUE)")
    assert (finding["placement"], finding["preexisting"], found.code) == ("table", False, 1)
    assert all(receipt["ok"] for receipt in finding["receipts"])


def test_an_address_in_a_message_makes_no_failure_new(repo: Repo, review: Any) -> None:
    check = "class C: pass\nraise ValueError(C())\n"
    repo.write("check.py", check)
    head(repo, check_py=f"{check}# more\n")
    assert [place[3] for place in review("python3 check.py").places] == [True]


def test_a_folder_that_is_called_as_a_target_is_no_word_of_the_line(repo: Repo, review: Any) -> None:
    """`make docs` and a new folder docs: base was skipped, and every old failure new."""
    repo.write("Makefile", ".PHONY: docs\ndocs:\n\t@echo broken; exit 1\n")
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    repo.write("docs/a.md", "x\n")
    repo.commit("head")
    assert review("make docs").gates == [("failed", "preexisting", "")]


def test_a_glob_that_is_the_script_is_a_process_for_each_file(repo: Repo, review: Any) -> None:
    """`bash tests/*.sh` starts the first of them, and gives it the others as words."""
    for name in ("a", "b", "c"):
        repo.write(f"tests/{name}.sh", f"echo {name} $#\n")
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    repo.write("tests/b.sh", "echo b $#\nexit 3\n")
    repo.commit("head")
    found = review("bash tests/*.sh")
    assert found.gates == [("failed", "new", "3 processes, one for each file")]
    assert found.tails == ["a 0\nb 0\n`bash tests/b.sh` fails: exit 3\nc 0"]
    assert (found.code, found.findings[0]["title"]) == (1, "`bash tests/*.sh` fails")


def test_a_second_script_that_fails_beside_an_old_one_is_not_called_old(repo: Repo, review: Any) -> None:
    for name, code in (("a", 1), ("b", 0)):
        repo.write(f"tests/{name}.sh", f"exit {code}\n")
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    repo.write("tests/b.sh", "exit 1\n")
    repo.commit("head")
    found = review("bash tests/*.sh")
    assert (found.code, found.gates[0][:2]) == (3, ("failed", "unknown"))


def test_a_gate_that_edits_its_files_is_not_placed_at_a_line_that_reads_otherwise(
    repo: Repo, review: Any
) -> None:
    """It put a licence above a file, and the finding stood one line too low."""
    repo.write("a.py", "a = 1\n")
    repo.write("run.sh", "#!/bin/bash\nsed -i '1i # licence' a.py; python3 a.py\n", 0o755)
    head(repo, a_py="a = 1\nraise ValueError\nb = 2\n")
    found = review("./run.sh")
    assert (found.code, [f["title"] for f in found.findings]) == (1, ["`./run.sh` fails"])
    assert "said last: ValueError" in found.findings[0]["failure"]


def test_two_gates_that_fail_by_one_fault_are_one_finding(repo: Repo, review: Any) -> None:
    head(repo, bad_py="raise ValueError('no')\n", one_sh="python3 bad.py\n", two_sh="python3 bad.py\n")
    found = review("bash one.sh", "bash two.sh")
    assert found.places == [("bad.py", 1, "ValueError: no", False)]
    assert found.findings[0]["failure"] == "The gates `bash one.sh` and `bash two.sh` fail here: no."


def test_a_script_that_lost_its_mode_fails(repo: Repo, review: Any) -> None:
    repo.write("run.sh", FINE, 0o755)
    head(repo)
    (repo.path / "run.sh").chmod(0o644)
    repo.commit("mode")
    found = review("./run.sh")
    assert (found.code, found.gates) == (1, [("failed", "new", "./run.sh is not executable")])
    (finding,) = found.findings
    assert "`./run.sh` cannot be started: ./run.sh is not executable" in finding["failure"]


def test_what_the_change_mends_is_fixed(repo: Repo, review: Any) -> None:
    repo.write("run.sh", "#!/bin/bash\nexit 4\n", 0o755)
    head(repo, run_sh=FINE)
    found = review("./run.sh", "bash -n a.sh")
    assert (found.code, found.verdict, found.findings) == (0, "clean", [])
    assert found.gates == [("passed", "fixed", ""), ("passed", "unknown", "")]


def test_what_base_lacks_is_not_fixed(repo: Repo, review: Any) -> None:
    repo.write("run.sh", "#!/bin/bash\nnosuch\n", 0o755)
    head(repo, run_sh=FINE)
    assert review("./run.sh").gates == [("passed", "unknown", "")]


# --- the same tree twice ------------------------------------------------------------------


@pytest.fixture
def flaky(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A sandbox in which every second job passes whatever it does; which jobs it ran."""
    ran: list[str] = []
    true = Sandbox.run

    def run(self: Sandbox, job: Job) -> Ended:
        if job.argv[0] != "./run.sh":
            return true(self, job)
        ended = true(self, job)
        with open(os.path.join(job.tree.folder, "a.sh")) as file:
            ran.append(file.read().split()[-1])
        return ended._replace(exit=0) if ran.count("b") == 2 else ended

    monkeypatch.setattr(Sandbox, "run", run)
    return ran


def test_what_fails_once_and_passes_once_never_blocks(repo: Repo, review: Any, flaky: list[str]) -> None:
    repo.write("run.sh", FINE, 0o755)
    head(repo, run_sh="#!/bin/bash\ngrep -q 'echo b' a.sh && ehco\n")
    found = review("./run.sh")
    assert sorted(flaky) == ["a", "b", "b"]
    assert (found.code, found.verdict, found.undone) == (0, "clean", [])
    assert found.gates == [
        (
            "failed",
            "flaky",
            "the command ehco is not there for it to use; a second run of the same tree passed",
        )
    ]
    (finding,) = found.findings
    assert (finding["grade"], finding["placement"], finding["preexisting"]) == ("hint", "table", False)
    assert "A second run of the same tree passed." in finding["failure"]
    review("./run.sh")
    assert sorted(flaky) == [*"aa", *"bbbb"]  # base passed, and is asked again before head is blamed


# --- the next push ------------------------------------------------------------------------


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The commands that the sandbox was given."""
    ran: list[tuple[str, ...]] = []
    true = Sandbox.run

    def run(self: Sandbox, job: Job) -> Ended:
        ran.append(job.argv)
        return true(self, job)

    monkeypatch.setattr(Sandbox, "run", run)
    return ran


KEPT = re.compile(r"kept from [\d-]{10} [\d:]{5} UTC")


def test_an_unchanged_gate_is_not_run_again(
    repo: Repo, review: Any, jobs: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write("run.sh", FINE, 0o755)
    repo.write("bad.sh", "echo >&2; false x\n")
    head(repo, run_sh="#!/bin/bash\nod -An -N8 -tx8 /dev/urandom\n")
    first = review("./run.sh")
    jobs.clear()
    monkeypatch.setattr("reviewbot.gates.trees.lay_out", None)  # no tree is laid out
    second = review("./run.sh")
    assert jobs == []
    assert (second.code, second.tails, second.findings) == (0, first.tails, first.findings)
    assert second.gates[0][:2] == ("passed", "unknown")
    assert KEPT.fullmatch(second.gates[0][2])


def test_base_is_run_again_before_a_change_is_blamed_by_what_was_kept(
    repo: Repo, review: Any, jobs: list[Any]
) -> None:
    """Base had passed once, in a week in which it passed."""
    repo.write("bad.sh", FINE)
    head(repo, bad_sh="echo >&2; false x\n")
    first = review("bash bad.sh")
    assert len(jobs) == 3
    second = review("bash bad.sh")
    assert len(jobs) == 4
    assert (second.code, second.findings) == (1, first.findings)
    assert (second.gates[0][:2], bool(KEPT.fullmatch(second.gates[0][2]))) == (("failed", "new"), True)


def test_a_checker_is_not_started_again_for_the_same_text(
    repo: Repo, review: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    head(repo, b_sh="if\n", c_py="x = 1\n")
    lines = ("bash -n <each>", "shellcheck <each>", "python3 -m py_compile <each>")
    first = review(*lines)
    monkeypatch.setattr(Children, "run", None)
    second = review(*lines)
    assert (second.code, second.gates, second.tails) == (1, first.gates, first.tails)
    assert second.findings == first.findings


def _push(repo: Repo) -> None:
    repo.write("other.txt", "x\n")
    repo.commit("more")


@pytest.mark.parametrize(
    "change",
    [
        lambda repo, bound, patch: _push(repo),
        lambda repo, bound, patch: patch.setenv("OUR_LEVEL", "8"),
        lambda repo, bound, patch: patch.setenv("REVIEWBOT_GATE_TIMEOUT", "7"),
        lambda repo, bound, patch: patch.setattr("reviewbot.__version__", "99"),
        lambda repo, bound, patch: os.utime(Path(bound, "in", "it")),
    ],
)
def test_whatever_a_gate_sees_makes_it_run_again(
    repo: Repo, review: Any, jobs: list[Any], monkeypatch: pytest.MonkeyPatch, change: Any
) -> None:
    with tempfile.TemporaryDirectory() as bound:  # the user of the sandbox may not enter `tmp_path`
        os.chmod(bound, 0o755)
        Path(bound, "in").mkdir()
        Path(bound, "in", "it").touch()
        os.utime(Path(bound, "in", "it"), (1, 1))
        monkeypatch.setenv("OUR_LEVEL", "7")
        repo.write(".reviewbot/config.toml", f'[gates]\nenv = ["OUR_LEVEL"]\nbinds = ["{bound}"]\n')
        repo.write("run.sh", FINE, 0o755)
        head(repo)
        review("./run.sh")
        jobs.clear()
        assert KEPT.fullmatch(review("./run.sh").gates[0][2])
        assert jobs == []
        change(repo, bound, monkeypatch)
        assert review("./run.sh").gates == [("passed", "unknown", "")]
        assert jobs != []


def test_the_configuration_can_turn_the_cache_off(
    repo: Repo, review: Any, jobs: list[Any], kept: str
) -> None:
    repo.write(".reviewbot/config.toml", "[gates]\ncache = false\n")
    head(repo, run_sh=FINE)
    for _ in range(2):
        found = review("./run.sh", "bash -n a.sh")
        assert [gate[2] for gate in found.gates] == ["", ""]
    assert jobs.count(("./run.sh",)) == 2
    assert not Path(kept, "results").exists()


def test_without_a_sandbox_nothing_that_executes_is_kept(repo: Repo, review: Any) -> None:
    head(repo, run_sh="#!/bin/bash\nod -An -N8 -tx8 /dev/urandom\n")
    first, second = (review("./run.sh", argv=("main", "--unsafe-run-gates")) for _ in range(2))
    assert first.tails != second.tails


# --- what is missing, refused or off ------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "script", "reason"),
    [
        ("no-such-tool --all", FINE, "no-such-tool is not in the sandbox"),
        ("./none.sh", FINE, "there is no ./none.sh at head"),
        ("python3 none.py", FINE, "there is no none.py at head"),
        ("bash -e none.sh", FINE, "there is no none.sh at head"),
        ("python3 -W ignore none.py", FINE, "there is no none.py at head"),
        ("bash run.sh", "exit 126\n", "a command that it starts cannot be executed"),
        ("bash run.sh", "exit 127\n", "a command that it starts is not there"),
        ("bash run.sh", "no-such-tool\n", "the command no-such-tool is not there for it to use"),
        ("sh run.sh", "no-such-tool\n", "the command no-such-tool is not there for it to use"),
        ("bash run.sh", "no-such-tool; exit 1\n", "the command no-such-tool is not there for it to use"),
        ("./run.sh", "#!/usr/bin/env nosuch\n", "the command nosuch is not there for it to use"),
        ("make check", FINE, "the target 'check' of make is not there for it to use"),
        ("python3 -m nosuch", FINE, NO_MODULE),
        ("python3 run.sh", "import nosuch.inner\n", NO_MODULE),
    ],
)
def test_what_a_gate_lacks_is_missing(repo: Repo, review: Any, line: str, script: str, reason: str) -> None:
    repo.write("run.sh", script, 0o755)
    head(repo)
    found = review(line)
    assert (found.code, found.verdict) == (3, "incomplete")
    assert found.gates[0][0] == "missing"
    assert found.undone == [(line, reason)]
    assert [f for f in found.findings if not f["preexisting"]] == []


def test_a_script_that_never_had_its_mode_has_not_failed_before(repo: Repo, review: Any) -> None:
    """It was called preexisting: a smoke test that nobody ran, and clean."""
    repo.write("smoke.sh", FINE, 0o644)
    head(repo)
    found = review("./smoke.sh")
    why = "./smoke.sh is not executable"
    assert (found.code, found.gates) == (3, [("missing", "unknown", why)])
    assert found.undone == [("./smoke.sh", why)]


def test_a_submodule_is_said_and_no_shortfall(repo: Repo, review: Any) -> None:
    repo.write("run.sh", "#!/bin/bash\nls sub\n", 0o755)
    repo.commit("first")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.git('rev-parse', 'HEAD')},sub")
    repo.git("commit", "-q", "-m", "sub")
    repo.git("checkout", "-q", "-b", "head")
    (repo.path / "a.sh").write_text("#!/bin/bash\necho b\n")
    repo.git("commit", "-q", "-m", "head", "a.sh")
    found = review("./run.sh")
    assert (found.code, found.gates) == (0, [("passed", "unknown", "without sub: a submodule")])


def test_a_command_that_the_change_misspells_is_its_fault(repo: Repo, review: Any) -> None:
    repo.write("run.sh", "set -e\necho a\n", 0o755)
    head(repo, run_sh="set -e\nehco a\n")
    found = review("bash run.sh")
    assert found.code == 1
    assert found.places == [("run.sh", 2, "ehco: command not found", False)]


def test_without_bubblewrap_nothing_is_executed(
    repo: Repo, review: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = shutil.which("git")
    assert found is not None
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").symlink_to(found)
    head(repo, run_sh=FINE)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    found = review("./run.sh")
    why = (
        "it runs code of the change, and bubblewrap is not installed: install it: apt-get install bubblewrap"
    )
    assert (found.code, found.verdict) == (3, "incomplete")
    assert found.gates == [("refused", "unknown", why)]
    assert found.undone == [("./run.sh", why)]


def test_the_configuration_can_turn_them_off(repo: Repo, review: Any) -> None:
    repo.write(".reviewbot/config.toml", "[gates]\nexecute = false\n")
    head(repo, run_sh="#!/bin/bash\nexit 1\n")
    found = review("./run.sh", "bash -n a.sh")
    why = "the configuration lets no gate execute code ([gates] execute)"
    assert (found.code, found.gates) == (
        0,
        [("skipped", "unknown", why), ("passed", "unknown", "")],
    )


def test_the_configuration_names_what_they_get(
    repo: Repo, review: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUR_LEVEL", "7")
    monkeypatch.setenv("OUR_SECRET", "s")
    keys = 'env = ["OUR_LEVEL", "NOT_SET"]\nbinds = ["/etc/hostname"]\nmemory = 600\ntimeout = 20'
    repo.write(".reviewbot/config.toml", f"[gates]\n{keys}\n")
    script = "echo ${OUR_LEVEL-} ${OUR_SECRET-none}\ntest -r /etc/hostname\nulimit -d\n"
    head(repo, run_sh=script)
    assert review("bash run.sh").tails == [f"7 none\n{600 * 1024}"]


def test_the_interpreter_of_the_configuration_is_found_first(repo: Repo, review: Any) -> None:
    with tempfile.TemporaryDirectory() as place:  # the user of the sandbox may not enter `tmp_path`
        os.chmod(place, 0o755)
        Path(place, "bin").mkdir()
        Path(place, "bin/python3").symlink_to(interpreter()[0])
        home = os.path.dirname(interpreter()[0])
        Path(place, "pyvenv.cfg").write_text(f"home = {home}\n")
        repo.write(".reviewbot/config.toml", f'[gates]\npython = "{place}/bin/python3"\n')
        head(repo, run_py="import sys\nprint(sys.prefix)\n")
        assert review("python3 run.py").tails == [place]


def test_the_user_can_say_that_the_code_is_their_own(repo: Repo, review: Any) -> None:
    repo.write("run.sh", "#!/bin/bash\nfalse\n", 0o755)
    head(repo, run_sh="#!/bin/bash\ncat a.sh; echo x >a.sh; id -u; test ! -e .git\n", check_py="1 / 0\n")
    found = review("./run.sh", "python3 check.py", argv=("main", "--unsafe-run-gates"))
    assert [gate[0] for gate in found.gates] == ["passed", "failed"]
    assert found.gates[0][2] == "run without a sandbox, on a copy (--unsafe-run-gates)"
    assert found.tails[0] == f"#!/bin/bash\necho b\n{os.getuid()}"
    assert [place[:2] for place in found.places] == [("check.py", 1)]
    assert repo.file("a.sh").read_text() == "#!/bin/bash\necho b\n"


# --- hostile ------------------------------------------------------------------------------


def test_what_a_gate_does_to_its_tree_nobody_else_sees(repo: Repo, review: Any) -> None:
    wreck = "#!/bin/bash\nset -e\ngrep -q 'echo b' a.sh\nrm -rf a.sh\necho evil >b.sh\nln -s / out\n"
    head(repo, run_sh=wreck, again_sh=wreck)
    found = review("./run.sh", "./again.sh")
    assert [gate[0] for gate in found.gates] == ["passed", "passed"]
    assert repo.git("status", "--porcelain") == ""


def test_a_flood_is_cut_and_is_no_result(repo: Repo, review: Any) -> None:
    head(repo, run_sh="#!/bin/bash\nhead -c 100000000 /dev/zero | tr '\\0' 'x'\n")
    found = review("./run.sh")
    assert found.code == 3
    assert found.gates == [("refused", "unknown", f"it printed more than {64 * 1024 * 1024} bytes")]
    assert len(found.tails[0]) < 1_000_000


def test_forks_without_end_end(repo: Repo, review: Any) -> None:
    repo.write(".reviewbot/config.toml", "[gates]\ntimeout = 2\n")
    head(repo, run_sh="#!/bin/bash\nbomb() { bomb | bomb & }\nbomb\nsleep 86399 &\nsleep 86399\n")
    found = review("./run.sh")
    assert (found.code, found.gates) == (3, [("timeout", "unknown", "ended after 2 s ([gates] timeout)")])


def test_programs_of_the_tree_are_not_found_by_their_names(repo: Repo, review: Any) -> None:
    evil = "#!/bin/sh\necho evil; exit 9\n"
    for name in ("bash", "python3", "shellcheck", "bin/bash"):
        repo.write(name, evil, 0o755)
    head(repo, run_sh="true\n", conftest_py="raise SystemExit(9)\n", sitecustomize_py="raise SystemExit(9)\n")
    found = review("bash run.sh", "python3 -c 1", "bash -n a.sh", "shellcheck a.sh")
    assert [gate[0] for gate in found.gates] == ["passed", "passed", "passed", "passed"]


@pytest.mark.parametrize("name", ["-rf", "$(touch x)", "a\nb", "caf\udce9", "x" * 255])
def test_names_that_are_no_names_are_files_of_the_tree(repo: Repo, review: Any, name: str) -> None:
    repo.write(os.fsencode(name), "x\n")
    head(repo, run_sh="#!/bin/bash\nset -- *\necho $#\n")
    assert review("./run.sh").tails == ["3"]
