"""`reviewbot doctor`: whether code of strangers can run here, and what is installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviewbot import __version__, cli
from reviewbot.gates import programs, versions
from tests.fakes.anthropic_server import Reply, anthropic_server
from tests.repos import Repo


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


def model(id: str, **fields: object) -> Reply:
    supported = {"structured_outputs": {"supported": True}}
    body = {"type": "model", "id": id, "lifecycle": "active", "capabilities": supported, **fields}
    return Reply(body=json.dumps(body).encode(), headers={"content-type": "application/json"})


def test_without_a_key_no_model_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    _, rows = doctor(capsys)
    assert rows["model"] == "none: there is no key; ANTHROPIC_API_KEY turns one on"


def test_the_configured_model_is_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    with anthropic_server([model("claude-sonnet-5-5")]) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        code, rows = doctor(capsys)
    assert code == 0
    assert rows["model"].startswith("claude-sonnet-5-5  $2 in, $10 out for a million tokens (as of ")


def test_a_model_that_cannot_answer_in_a_form_is_a_fault(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    lacking = {"structured_outputs": {"supported": False}}
    with anthropic_server([model("claude-sonnet-5-5", capabilities=lacking)]) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        code, rows = doctor(capsys)
    assert code == 3
    assert "it cannot answer in a given form (structured outputs)" in rows["model"]


def test_the_configuration_of_the_repository_names_the_model(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.write(".reviewbot/config.toml", '[model]\nfind = "claude-opus-5-5"\nrefute = "claude-opus-5-5"\n')
    monkeypatch.chdir(repo.path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    with anthropic_server([model("claude-opus-5-5")]) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        _, rows = doctor(capsys)
        assert [asked.path for asked in server.asked] == ["/v1/models/claude-opus-5-5"]
    assert rows["model"].startswith("claude-opus-5-5 ")
