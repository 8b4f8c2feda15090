"""Bad input at the front door: one clear line, the right exit code, no traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from reviewbot.detectors import DETECTORS
from tests.repos import Repo

LAUNCHER = "#!/bin/bash\nset -x\nCONFIG=$1\nsbatch --export=CONFIG=$CONFIG bench.sbatch\n"
UNGUARDED = LAUNCHER.replace("sbatch --", 'python3 inject.py "$CONFIG"\nsbatch --')
VERIFIER = "def verify_names(old, new):\n    assert old == new\n"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository with one commit on `main`, a branch `head` checked out, and this process in it."""
    repo = Repo(tmp_path / "repo")
    repo.write("README.md", "x\n")
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    monkeypatch.chdir(repo.path)
    return repo


def review(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, dict[str, Any]]:
    code = cli.run(["diff", "main", "--format", "json", *argv])
    out, err = capsys.readouterr()
    assert err == ""
    report: dict[str, Any] = json.loads(out)
    return code, report


def error(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str]:
    code = cli.run(["diff", *argv])
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), err[:18]) == ("", 1, "reviewbot: error: ")
    return code, err[18:]


def test_no_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, line = error(capsys, "main")
    assert code == 2
    assert "is not in a git repository" in line


def test_an_unknown_base(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    code, line = error(capsys, "nowhere")
    assert code == 2
    assert "nowhere" in line


def test_a_branch_without_a_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(Repo(tmp_path / "new").path)
    code, line = error(capsys)
    assert code == 2
    assert "has no commit yet" in line


@pytest.mark.parametrize("patch", [b"hello\n", b"\xff\x00\n", b"<html>rate limited</html>\n"])
def test_a_patch_that_is_none(
    patch: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.patch").write_bytes(patch)
    monkeypatch.chdir(tmp_path)
    code, line = error(capsys, "--patch", "x.patch")
    assert code == 2
    assert line.startswith("x.patch:1: ")


def test_an_empty_change_is_clean_and_says_so(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["diff", "main"]) == 0
    out, err = capsys.readouterr()
    assert out.split("\n\n")[-1] == "clean: the change is empty\n"
    assert err == ""


@pytest.mark.parametrize(
    ("base", "hint"),
    [
        ("main", "uncommitted changes: --worktree, what the last commit changed: HEAD~1"),
        ("HEAD~1", "uncommitted changes: --worktree"),
    ],
)
def test_only_somebody_at_a_terminal_is_told_what_to_review_instead(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, base: str, hint: str
) -> None:
    monkeypatch.setattr("reviewbot.hosts.terminal.somebody", lambda: True)
    if base == "HEAD~1":
        repo.git("commit", "-q", "--allow-empty", "-m", "nothing")
    for quiet, said in (([], f"reviewbot: to review {hint}\n"), (["--quiet"], "")):
        assert cli.run(["diff", base, *quiet]) == 0
        assert capsys.readouterr().err == said


def test_files_that_no_skill_claims_are_named(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write("notes.txt", "x\n")
    repo.commit()
    assert cli.run(["diff", "main"]) == 0
    assert capsys.readouterr().out.split("\n", 1)[1] == (
        "not covered  no skill claims it: notes.txt\n\n"
        "clean: nothing in scope; 0 of 1 changed file reviewed\n"
    )


def test_a_skill_of_the_command_line_that_does_not_load(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.write("SKILL.md", "---\nname: x\n---\ntext\n")
    code, line = error(capsys, "main", "--skill", "SKILL.md")
    assert code == 2
    assert "SKILL.md:1:1 S" in line


def test_a_skill_of_the_repository_that_does_not_load_leaves_the_review_incomplete(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.git("checkout", "-q", "main")
    repo.write(".reviewbot/skills/ours/SKILL.md", "---\nname: ours\n---\ntext\n")
    repo.commit("a skill")
    repo.git("checkout", "-q", "-B", "head")
    repo.write("runners/launch.sh", UNGUARDED)
    repo.commit()
    code, report = review(capsys)
    assert (code, report["verdict"]) == (3, "incomplete")
    assert [(i["stage"], i["what"]) for i in report["incomplete"]] == [
        ("skill", ".reviewbot/skills/ours/SKILL.md")
    ]
    assert [f["detector"] for f in report["findings"]] == ["swallowed-failure"]


def test_a_file_that_does_not_decode_is_named_and_the_others_are_reviewed(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.write("run_a.py", b"x = '\xe9'\n")
    repo.write("runners/launch.sh", UNGUARDED)
    repo.commit()
    code, report = review(capsys)
    assert (code, [(i["stage"], i["what"]) for i in report["incomplete"]]) == (3, [("scope", "run_a.py")])
    assert [(u["path"], "UTF-8" in u["reason"]) for u in report["coverage"]["uncovered"]] == [
        ("run_a.py", True)
    ]
    assert [f["detector"] for f in report["findings"]] == ["swallowed-failure"]


def test_a_syntax_error_is_a_finding_at_its_line_and_the_others_are_reviewed(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.write("run_a.py", "x = 1\ndef f(:\n")
    repo.write("runners/launch.sh", UNGUARDED)
    repo.commit()
    _, report = review(capsys)
    assert {(f["origin"], f["path"], f["line"]) for f in report["findings"]} == {
        ("gate", "run_a.py", 2),
        ("detector", "runners/launch.sh", 4),
    }


def test_a_detector_that_raises_is_named_and_the_others_go_on(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(file: object) -> None:
        raise ZeroDivisionError("by\nzero")

    faulty = DETECTORS["swallowed-failure"]._replace(finders={"shell": broken}, triggers={})
    monkeypatch.setitem(DETECTORS, "swallowed-failure", faulty)
    repo.write("runners/launch.sh", UNGUARDED)
    repo.write("run_verify.py", VERIFIER)
    repo.commit()
    code, report = review(capsys)
    assert code == 3
    assert [i["stage"] for i in report["incomplete"]] == ["detect"]
    assert "swallowed-failure" in report["incomplete"][0]["what"]
    assert "ZeroDivisionError" in report["incomplete"][0]["why"]
    assert [f["detector"] for f in report["findings"]] == ["assert-in-verifier"]


def test_names_that_are_no_utf8_and_hold_commands_are_shown_as_bytes(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.write(b"runners/launch_\xe9\x1b[2J.sh", UNGUARDED)
    repo.commit()
    assert cli.run(["diff", "main"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("1. runners/launch_\\xe9\\x1b[2J.sh:4  warning\n")
    assert "\x1b" not in out
    _, report = review(capsys)
    assert report["findings"][0]["path"] == "runners/launch_\\xe9\x1b[2J.sh"
