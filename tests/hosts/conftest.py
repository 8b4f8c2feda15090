"""A repository to read, on a machine that configures nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.repos import ENV, Repo


@pytest.fixture
def nobodys_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for key in [key for key in os.environ if key.startswith("GIT_")]:
        monkeypatch.delenv(key)
    for key in ("GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL"):
        monkeypatch.setenv(key, ENV[key])
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def repo(nobodys_machine: None, tmp_path: Path) -> Repo:
    """One commit with a.py on main, and a branch `work` on it that is checked out."""
    made = Repo(tmp_path / "repo")
    made.write("a.py", "one\ntwo\nthree\n")
    made.commit()
    made.git("checkout", "-q", "-b", "work")
    return made
