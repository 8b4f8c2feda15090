"""Where the programs of gates are looked for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from reviewbot.gates.programs import find


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this Python, as a virtual environment in a repository; programs were put there."""
    for name in ("bash", "bwrap", "git", "ruff", "shellcheck"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python3"))
    return tmp_path


@pytest.mark.parametrize("name", ["ruff", "shellcheck"])
def test_what_comes_with_us_is_taken_beside_this_python(beside: Path, name: str) -> None:
    assert find(name) == str(beside / name)


@pytest.mark.parametrize("name", ["bash", "bwrap", "git"])
def test_other_programs_beside_this_python_are_not_taken(
    beside: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert find(name) is None
    monkeypatch.setenv("PATH", f"/nonexistent:{beside}")
    assert find(name) == str(beside / name)
