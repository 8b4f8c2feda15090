"""The steps of the Action before the review: what is installed, and from where; the sandbox."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.steps import ROOT, Job, Ran
from tests.test_action import program

LOGS = 'echo "$(basename "$0") $*" >>"$LOG"'
PYTHON = f"""{LOGS}
if [ "$3" = venv ]; then
  mkdir -p "$4/bin"
  cp "$0" "$4/bin/python"
  printf '#!/bin/bash\\necho installed reviewbot "$@"\\n' >"$4/bin/reviewbot"
  chmod +x "$4/bin/reviewbot"
fi"""


class Runner:
    def __init__(self, folder: Path) -> None:
        self.folder, self.programs, self.work = folder, folder / "programs", folder / "work"
        self.programs.mkdir()
        self.work.mkdir()

    @property
    def log(self) -> list[str]:
        file = self.folder / "log"
        return file.read_text().splitlines() if file.exists() else []

    def has(self, name: str, body: str) -> None:
        program(self.programs, name, f"{LOGS}\n{body}")

    def run(self, *, environment: str = "github-hosted", **inputs: str) -> Ran:
        around = {"PATH": f"{self.programs}:/usr/bin:/bin", "LOG": str(self.folder / "log")}
        python = {"steps.python.outputs.python-path": str(self.programs / "python")}
        job = Job(self.folder / "job", self.work, around, {"os": "Linux", "environment": environment}, python)
        return job.run("push", "{}", inputs)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    made = Runner(tmp_path)
    program(made.programs, "python", PYTHON)
    made.has("reviewbot", "exit 0")
    made.has("sudo", '"${@:2}"')
    for name in ("apt-get", "sysctl"):
        made.has(name, f'touch "{tmp_path}/{name}"')
    made.has("apparmor_parser", f'cat >"{tmp_path}/profile"')
    return made


def test_the_program_is_the_one_beside_the_action(runner: Runner) -> None:
    for name in ("venv.py", "pip.py", "site.py"):  # of what is reviewed: none of it may be imported
        (runner.work / name).write_text("raise SystemExit('taken from the checkout')")
    ran = runner.run(sandbox="off")
    assert (ran.code, ran.log) == (0, "installed reviewbot action\n")
    made, got = runner.log
    assert made.startswith("python -I -m venv ")
    assert got.startswith("python -I -m pip install ")
    root = Path(got.rpartition(" ")[2].removesuffix("[github,llm]"))
    assert root.resolve() == ROOT
    constraints = got.split("--constraint ")[1].split(" ")[0]
    assert (root / "constraints.txt").samefile(constraints)
    assert ran.used[0].name.startswith("actions/setup-python@")
    assert ran.used[0].given["update-environment"] == "False"


def test_an_install_that_fails_ends_the_job(runner: Runner) -> None:
    program(runner.programs, "python", f'{PYTHON}\n[ "$3" = venv ] || exit 1')
    ran = runner.run(sandbox="off")
    assert ran.code == 1
    assert "installed reviewbot" not in ran.log


@pytest.mark.parametrize(
    ("works", "asked"),
    [
        ("exit 0", ["bwrap"]),
        ('[ -e "$(dirname "$LOG")/profile" ]', ["bwrap", "sudo", "apparmor_parser", "bwrap"]),
        (
            '[ -e "$(dirname "$LOG")/sysctl" ]',
            ["bwrap", "sudo", "apparmor_parser", "bwrap", "sudo", "sysctl"],
        ),
        ("exit 1", ["bwrap", "sudo", "apparmor_parser", "bwrap", "sudo", "sysctl"]),
    ],
)
def test_no_more_is_opened_than_it_takes(runner: Runner, works: str, asked: list[str]) -> None:
    runner.has("bwrap", works)
    assert runner.run(install="false").code == 0
    assert [line.split(" ")[0] for line in runner.log] == [*asked, "reviewbot"]


def test_without_rights_the_review_goes_on(runner: Runner) -> None:
    runner.has("bwrap", "exit 1")
    runner.has("sudo", "exit 1")
    ran = runner.run(install="false")
    assert ran.code == 0
    assert "user namespaces stay restricted" in ran.log
    assert runner.log[-1] == "reviewbot action"


@pytest.mark.parametrize("given", [{"sandbox": "off"}, {"environment": "self-hosted"}])
def test_other_machines_are_left_as_they_are(runner: Runner, given: dict[str, str]) -> None:
    assert runner.run(install="false", **given).code == 0
    assert runner.log == ["reviewbot action"]


def test_this_python_imports_nothing_from_the_checkout(tmp_path: Path) -> None:
    """What `-I` is for."""
    import subprocess

    (tmp_path / "venv.py").write_text("raise SystemExit(9)")
    plain = subprocess.run([sys.executable, "-m", "venv", "--help"], cwd=tmp_path, capture_output=True)
    alone = subprocess.run([sys.executable, "-I", "-m", "venv", "--help"], cwd=tmp_path, capture_output=True)
    assert (plain.returncode, alone.returncode) == (9, 0)
