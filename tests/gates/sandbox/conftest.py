from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def scratch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where trees are laid out in this test; empty when it is over. Not below `tmp_path`: the user of
    the sandbox may not enter that where root runs the tests."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield Path(folder)
        assert os.listdir(folder) == []


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which a test remembers; nothing is known yet."""
    folder = tmp_path / "state"
    monkeypatch.setenv("REVIEWBOT_STATE_DIR", str(folder))
    return folder
