"""The repository of the demonstration."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reviewbot.hosts import demo
from tests.repos import Repo


def test_two_commits_on_two_branches_and_a_clean_work_tree() -> None:
    with demo.repository(keep=False) as folder:
        repo = Repo(folder)
        assert repo.git("log", "--format=%P", demo.HEAD).split() == [repo.git("rev-parse", demo.BASE)]
        assert repo.git("branch", "--show-current") == demo.HEAD
        assert repo.git("status", "--porcelain") == ""
        changed = repo.git("diff", "--name-only", demo.BASE, demo.HEAD).split("\n")
        assert {"runners/launch_h200.sh", "tools/convert_checkpoint.py"} < set(changed)
        assert os.access(repo.file("runners/launch_h200.sh"), os.X_OK)
    assert not os.path.exists(folder)


def test_it_is_the_same_every_time() -> None:
    with demo.repository(keep=False) as first, demo.repository(keep=False) as second:
        assert Repo(first).git("rev-parse", demo.HEAD) == Repo(second).git("rev-parse", demo.HEAD)


def test_keep_leaves_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with demo.repository(keep=True) as folder:
        pass
    assert Path(folder, "runners", "launch_h200.sh").is_file()


def test_an_interrupted_demonstration_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(KeyboardInterrupt), demo.repository(keep=False):
        raise KeyboardInterrupt
    assert os.listdir(tmp_path) == []


def test_the_users_own_git_settings_do_not_matter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config = (
        "[commit]\n\tgpgSign = true\n[core]\n\tautocrlf = true\n\thooksPath = /none\n[user]\n\tname = X\n"
    )
    (tmp_path / ".gitconfig").write_text(config)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    with demo.repository(keep=False) as folder:
        assert Repo(folder).git("log", "--format=%an", "-1") == "reviewbot demo"
