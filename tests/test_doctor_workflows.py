"""`reviewbot doctor` on workflows that run with secrets on what strangers wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewbot import cli
from tests.detectors.test_strangers import HEAD, TARGET
from tests.repos import Repo


def doctor(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = cli.run(["doctor"])
    out, err = capsys.readouterr()
    assert err == ""
    return code, out


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    monkeypatch.chdir(tmp_path)
    return Repo(tmp_path)


def test_a_workflow_that_checks_out_the_head_is_flagged(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.write(".github/workflows/lint.yml", TARGET.format(on="pull_request_target", ref=HEAD))
    repo.write(".github/workflows/test.yml", TARGET.format(on="pull_request", ref=HEAD))
    code, out = doctor(capsys)
    assert code == 3
    assert ".github/workflows/lint.yml:8  runs on pull_request_target and checks out" in out
    assert "test.yml" not in out


@pytest.mark.parametrize("content", [b"on: [\n", b"\xff", b"x" * 1_000_001])
def test_one_that_cannot_be_read_is_no_good_one(
    repo: Repo, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    repo.write(".github/workflows/broken.yaml", content)
    code, out = doctor(capsys)
    assert code == 3
    assert "cannot be read" in out


def test_without_workflows_all_is_well(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(capsys)[0] == 0
