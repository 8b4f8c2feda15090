"""What tells that a program, a package or a bound file is another than before."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewbot.core.types import GateTerms
from reviewbot.gates import marks, runners
from reviewbot.gates.runners import Sandboxed, Unsandboxed


def _swap(place: Path) -> None:
    place.unlink()
    place.symlink_to("/bin/sh")


@pytest.mark.parametrize(
    "change",
    [
        lambda place: place.write_bytes(b"longer than it was"),
        lambda place: os.utime(place, ns=(7, 7)),
        lambda place: place.unlink(),
        _swap,
    ],
)
def test_a_program_that_was_replaced(tmp_path: Path, change: Callable[[Path], Any]) -> None:
    place = tmp_path / "tool"
    place.write_bytes(b"it")
    os.utime(place, ns=(5, 5))
    before = marks.mark(str(place))
    assert marks.mark(str(place)) == before
    change(place)
    assert marks.mark(str(place)) != before


def test_a_program_behind_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "tool-1", tmp_path / "tool"
    real.write_bytes(b"it")
    link.symlink_to(real)
    before = marks.mark(str(link))
    os.utime(real, ns=(5, 5))
    assert marks.mark(str(link)) != before


def test_a_package_that_was_installed(tmp_path: Path) -> None:
    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    os.utime(packages, ns=(5, 5))
    before = list(marks.machine([str(tmp_path)]))
    (packages / "new").mkdir()
    assert list(marks.machine([str(tmp_path)])) != before


def test_all_that_is_bound_is_looked_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / "a" / "b" / "it"
    deep.parent.mkdir(parents=True)
    deep.write_bytes(b"1")
    before = marks.contents(str(tmp_path))
    assert before is not None
    assert len(before) == 4
    os.utime(deep, ns=(5, 5))
    assert marks.contents(str(tmp_path)) != before
    assert marks.contents(str(deep)) == (marks.mark(str(deep)),)
    monkeypatch.setattr(marks, "MOST", 3)
    assert marks.contents(str(tmp_path)) is None


@pytest.mark.parametrize(
    "terms",
    [
        GateTerms(timeout=1.0),
        GateTerms(memory=1),
        GateTerms(env=("OUR_LEVEL",)),
        GateTerms(binds=("/usr/bin/env",)),
        GateTerms(python="/opt/none/bin/python3"),
    ],
)
def test_other_terms_are_another_sight(terms: GateTerms) -> None:
    assert Sandboxed(GateTerms()).sees() == Sandboxed(GateTerms()).sees()
    assert Sandboxed(terms).sees() != Sandboxed(GateTerms()).sees()


def test_the_value_of_a_variable_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = GateTerms(env=("OUR_LEVEL",))
    sights = set()
    for value in ("1", "2", ""):
        monkeypatch.setenv("OUR_LEVEL", value)
        sights.add(Sandboxed(terms).sees())
    monkeypatch.delenv("OUR_LEVEL")
    assert len({*sights, Sandboxed(terms).sees()}) == 4


def test_a_tool_that_was_replaced_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Sandboxed(GateTerms()).sees()
    (tmp_path / "ruff").write_bytes(b"it")
    monkeypatch.setattr(runners, "find", lambda name: str(tmp_path / name))
    assert Sandboxed(GateTerms()).sees() != before


def test_what_cannot_be_told_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "MOST", 1)
    assert Sandboxed(GateTerms(binds=("/usr/bin",))).sees() is None
    assert Unsandboxed(GateTerms()).sees() is None
