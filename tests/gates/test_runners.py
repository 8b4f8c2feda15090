"""Which places of the configuration gates can see: what they cannot is said before one of them runs."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewbot.core.types import GateTerms
from reviewbot.gates.runners import Sandboxed

WHO = "root only, and gates run as nobody" if os.geteuid() == 0 else "other users only"
WHY = f"can be read by {WHO}: install it elsewhere or open the folder"


@pytest.fixture
def home() -> Iterator[Path]:
    """A Python's home that everybody may read; the user of the sandbox may not enter `tmp_path`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "bin").mkdir(mode=0o755)
        (folder / "bin" / "python3").symlink_to("/usr/bin/python3")
        (folder / "data").write_text("")
        yield folder
        folder.chmod(0o700)


def test_what_everybody_may_read_is_no_reason(home: Path) -> None:
    terms = GateTerms(python=f"{home}/bin/python3", binds=(str(home), f"{home}/data"))
    assert Sandboxed(terms).why_not() == ""
    assert Sandboxed(GateTerms()).why_not() == ""


def test_a_place_that_is_not_there_is_named_with_its_setting(home: Path) -> None:
    (home / "gone").symlink_to("nowhere")
    for name in ("none", "gone", "data/none"):
        terms = GateTerms(binds=(str(home), f"{home}/{name}"))
        assert Sandboxed(terms).why_not() == f"[gates] binds: {home}/{name} is not there"
    terms = GateTerms(python=f"{home}/bin/python4")
    assert Sandboxed(terms).why_not() == f"[gates] python: {home}/bin/python4 is not there"


@pytest.mark.parametrize("mode", [0o700, 0o600, 0o000])
def test_a_place_that_the_user_of_the_sandbox_may_not_read_is_named(home: Path, mode: int) -> None:
    if os.geteuid() != 0 and mode:  # its owner is the sandbox's user
        mode = 0
    (home / "data").chmod(mode)
    assert Sandboxed(GateTerms(binds=(f"{home}/data",))).why_not() == f"[gates] binds: {home}/data {WHY}"


def test_a_place_in_a_closed_folder_is_named(home: Path) -> None:
    closed = home / "closed"
    (closed / "bin").mkdir(parents=True)
    (closed / "bin" / "python3").symlink_to("/usr/bin/python3")
    (closed / "file").touch()
    (home / "link").symlink_to("closed/file")
    closed.chmod(0o700 if os.geteuid() == 0 else 0o600)
    found = [Sandboxed(GateTerms(binds=(f"{home}/{name}",))).why_not() for name in ("closed/file", "link")]
    python = f"{closed}/bin/python3"
    found.append(Sandboxed(GateTerms(python=python)).why_not())
    if os.geteuid() == 0:
        assert found == [
            *(f"[gates] binds: {home}/{name} {WHY}" for name in ("closed/file", "link")),
            f"[gates] python: {python} {WHY}",
        ]
    else:  # who may not enter it cannot tell either
        named = [f"binds: {home}/closed/file", f"binds: {home}/link", f"python: {python}"]
        assert found == [f"[gates] {name} is not there" for name in named]
    closed.chmod(0o700)
