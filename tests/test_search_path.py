"""No program of the reviewed tree is started on this machine, whatever PATH says: at the front door."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from reviewbot.core.options import DiffOptions
from reviewbot.wiring.diff import run_diff
from tests.commands import finish
from tests.repos import Repo

PROGRAMS = ("git", "bwrap", "bash", "sh", "shellcheck", "ruff", "python3")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A change that brings programs, each of which leaves a file of its name in `ran`."""
    repo = Repo(tmp_path / "repo")
    (tmp_path / "ran").mkdir()
    repo.write("run.sh", "#!/bin/bash\nexit 0\n", 0o755)
    repo.write(
        ".reviewbot/skills/gates/SKILL.md",
        "---\nname: gates\ndescription: Review by gates.\n---\n# Gates\n\n## Gates\n\n"
        "```bash gate\n./run.sh\n```\n\n```bash\nbash -n <each>\nshellcheck <each>\nruff check .\n```\n",
    )
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    repo.write("a.sh", "#!/bin/bash\necho a\n")
    repo.write("a.py", "a = 1\n")
    for name in PROGRAMS:
        for place in (name, f"bin/{name}"):
            repo.write(place, f"#!/bin/sh\n: >{tmp_path}/ran/{name}\nexit 0\n", 0o755)
    repo.commit("head")
    return repo


@pytest.mark.parametrize(
    ("entry", "folder"), [(".", ""), ("", "bin"), ("bin", ""), ("{repo}", "bin"), ("{repo}/bin", "")]
)
def test_a_program_of_the_reviewed_tree_is_not_started(
    repo: Repo, tmp_path: Path, entry: str, folder: str
) -> None:
    path = f"{entry.format(repo=repo.path)}:{os.environ['PATH']}"
    argv = [sys.executable, "-m", "reviewbot", "diff", "main", "--format", "json"]
    state = {"PATH": path, "REVIEWBOT_STATE_DIR": str(tmp_path / "state")}
    _, out, err = finish(argv, cwd=repo.path / folder, env=state)
    assert err == ""
    assert {gate["status"] for gate in json.loads(out)["gates"]} >= {"passed"}
    assert os.listdir(tmp_path / "ran") == []


@pytest.mark.parametrize("argv", [("doctor",), ("skills", "list"), ("demo",)])
def test_no_command_starts_a_program_of_the_folder_that_it_is_in(
    repo: Repo, tmp_path: Path, argv: tuple[str, ...]
) -> None:
    path = f".:{repo.path}/bin:{os.environ['PATH']}"
    env = {"PATH": path, "REVIEWBOT_STATE_DIR": str(tmp_path / "state")}
    code, _, _ = finish([sys.executable, "-m", "reviewbot", *argv], cwd=repo.path, env=env)
    assert code == 0
    assert os.listdir(tmp_path / "ran") == []


def test_a_review_that_a_program_asks_for_starts_none_either(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{repo.path}/bin:.:{os.environ['PATH']}")
    review = run_diff(DiffOptions(cwd=str(repo.path), base="main"))
    assert review.gates
    assert os.listdir(tmp_path / "ran") == []


def test_a_program_of_the_users_own_tree_runs_on_his_word(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write("bin/our-check", f"#!/bin/sh\n: >{tmp_path}/ran/our-check\n", 0o755)
    skill = repo.file(".reviewbot/skills/gates/SKILL.md").read_text().replace("./run.sh", "our-check")
    (tmp_path / "SKILL.md").write_text(skill)
    monkeypatch.setenv("PATH", f"{repo.path}/bin:{os.environ['PATH']}")
    options = DiffOptions(
        cwd=str(repo.path), base="main", skills=(str(tmp_path / "SKILL.md"),), unsafe_gates=True
    )
    run_diff(options)
    assert os.listdir(tmp_path / "ran") == ["our-check"]
