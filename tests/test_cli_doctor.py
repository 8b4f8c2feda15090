"""`reviewbot doctor`: whether code of strangers can run here, and what is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewbot import __version__, cli
from reviewbot.gates import programs, versions


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REVIEWBOT_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


def doctor(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, str]]:
    code = cli.run(["doctor"])
    out, err = capsys.readouterr()
    assert err == ""
    return code, {name: text.strip() for name, _, text in (row.partition(" ") for row in out.splitlines())}


def test_a_machine_on_which_gates_can_run(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    code, rows = doctor(capsys)
    assert (code, rows["sandbox"]) == (0, "full: gates that execute code run in it")
    assert "remedy" not in rows
    assert rows["reviewbot"].startswith(f"{__version__} (")
    assert rows["state"] == str(state)
    for name in ("git", "bwrap", "shellcheck", "ruff", "Python"):
        assert rows[name][0].isdigit(), name
        assert "/" in rows[name]


def test_a_machine_without_bubblewrap(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    code, rows = doctor(capsys)
    assert code == 3
    assert rows["sandbox"] == "none: bubblewrap is not installed; gates that execute code are refused"
    assert rows["remedy"] == "install it: apt-get install bubblewrap"
    assert (rows["git"], rows["bwrap"]) == ("not installed", "not installed")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("#!/bin/sh\necho nothing\n", "{} does not tell its version"),
        ("#!/bin/sh\necho 1.2; exit 1\n", "{} does not tell its version"),
        ("#!/none\n", "{} cannot be started: No such file or directory"),
        ("#!/bin/sh\necho tool v1.2.3-x\n", "1.2.3 ({})"),
    ],
)
def test_what_a_program_says_of_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    tool = tmp_path / "git"
    tool.write_text(script)
    tool.chmod(0o755)
    monkeypatch.setattr(versions, "find", lambda name: str(tool) if name == "git" else programs.find(name))
    assert versions.versions()["git"] == said.format(tool)
