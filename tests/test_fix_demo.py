"""`diff --fix` on the demonstration: all of its defects are mended, and the scripts do what they should."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewbot.hosts import demo
from tests.launchers import ran
from tests.repos import Repo

STUB = '#!/bin/bash\necho "{name} $*" >> "$CALLED"\n{body}\n'


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repo]:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with demo.repository(keep=True) as folder:
        yield Repo(folder)


@pytest.fixture
def fixed(repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Repo:
    done = ran(repo, capsys, monkeypatch, "diff", demo.BASE, "--fix")
    assert (done.code, done.err) == (0, "reviewbot: 4 fixes applied to 4 files\n")
    return repo


def test_the_tree_is_clean_afterwards(
    fixed: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = ran(fixed, capsys, monkeypatch, "diff", demo.BASE, "--worktree", "--format", "json")
    assert (shown.code, shown.review["verdict"]) == (0, "clean")
    fixed.commit("fixed")
    shown = ran(fixed, capsys, monkeypatch, "diff", demo.BASE, "--format", "json")
    assert (shown.code, shown.review["verdict"], shown.review["incomplete"]) == (0, "clean", [])
    assert [f["preexisting"] for f in shown.review["findings"]] == [True]


class Machine:
    """A PATH with stubs in front: what a script calls, and how that ends."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.log = folder / "bin", folder / "called"
        self.bin.mkdir()
        self.log.write_text("")

    def stub(self, name: str, body: str = "exit 0") -> None:
        path = self.bin / name
        path.write_text(STUB.format(name=name, body=body))
        path.chmod(0o755)

    def run(self, repo: Repo, *argv: str, **variables: str) -> subprocess.CompletedProcess[str]:
        path = f"{self.bin}:{os.environ['PATH']}"
        env = {"PATH": path, "CALLED": str(self.log), "HOME": "/nonexistent", **variables}
        return subprocess.run(argv, cwd=repo.path, env=env, capture_output=True, text=True, timeout=60)

    @property
    def called(self) -> list[str]:
        return [line.split(" ")[0] for line in self.log.read_text().splitlines()]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def launcher(machine: Machine, repo: Repo, step: str) -> subprocess.CompletedProcess[str]:
    for name in ("git", "sbatch"):
        machine.stub(name)
    machine.stub("python3", step)
    return machine.run(repo, "bash", "runners/launch_h200.sh", "vllm", ENGINE_COMMIT="abc", RESULTS="results")


def test_the_launcher_stops_where_its_step_fails(fixed: Repo, machine: Machine) -> None:
    done = launcher(machine, fixed, "exit 3")
    assert done.returncode == 1
    assert machine.called == ["git", "python3"]


def test_the_launcher_launches_where_its_step_succeeds(fixed: Repo, machine: Machine) -> None:
    done = launcher(machine, fixed, "exit 0")
    assert done.returncode == 0, done.stderr
    assert machine.called[:3] == ["git", "python3", "sbatch"]


def test_before_the_fix_it_launched_all_the_same(repo: Repo, machine: Machine) -> None:
    launcher(machine, repo, "exit 3")
    assert "sbatch" in machine.called


def test_a_flag_without_its_value_is_named(fixed: Repo, machine: Machine) -> None:
    for flag in ("--model", "--calibration", "--bits", "--scale", "--output"):
        done = machine.run(fixed, "bash", "tools/quantize.sh", flag)
        assert (done.returncode, done.stderr) == (2, f"missing value for {flag}\n")


def test_the_tool_runs_with_all_its_values(fixed: Repo, machine: Machine) -> None:
    for name in ("llm-quantize", "python3"):
        machine.stub(name)
    argv = ("--model", "m", "--calibration", "c", "--bits", "4", "--scale", "2", "--output", "o")
    done = machine.run(fixed, "bash", "tools/quantize.sh", *argv)
    assert done.returncode == 0, done.stderr
    assert machine.called == ["llm-quantize", "python3"]


def test_the_wait_ends_when_the_server_is_dead(fixed: Repo, machine: Machine) -> None:
    for name, body in (("python3", "exit 1"), ("vllm", "exit 1"), ("curl", "exit 1"), ("sleep", "exit 0")):
        machine.stub(name, body)
    done = machine.run(fixed, "bash", "benchmarks/bench_serving.sh", "config.yaml", RESULTS="results")
    assert done.returncode == 1
    assert "the process in SERVER_PID has died" in done.stderr


TORCH = """\
class _Tensor(float):
    pass
def load(path, **options):
    return {"weight": float(open(path).read())}
def allclose(one, other):
    return one == other
"""


def test_the_verifier_stops_also_without_asserts(fixed: Repo, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "torch.py").write_text(TORCH)
    (tmp_path / "old").write_text("2")
    (tmp_path / "new").write_text("3")
    code = (
        "import sys; from pathlib import Path; sys.path[:0] = ['tools', sys.argv[1]]; "
        "import convert_checkpoint as c; c.verify_values(Path(sys.argv[2]), Path(sys.argv[3]), 1.0)"
    )
    python = shutil.which("python3") or "python3"
    argv = [python, "-O", "-B", "-c", code, *(str(tmp_path / name) for name in ("lib", "old", "new"))]
    done = subprocess.run(argv, cwd=fixed.path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.endswith("AssertionError: weight was changed by the conversion\n")
