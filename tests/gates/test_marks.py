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
    """A link in its place, to a file of the test: nothing here may lead to a program of this machine."""
    other = place.with_name(f"{place.name}-other")
    other.write_bytes(b"it")
    place.unlink()
    place.symlink_to(other.name)


def _rewrite(place: Path) -> None:
    """Other bytes, as many as before, under the old date: as a hostile change, or `rsync -t`, leaves it."""
    place.write_bytes(place.read_bytes().swapcase())
    os.utime(place, ns=(5, 5))


CHANGES = [
    lambda place: place.write_bytes(b"longer than it was"),
    lambda place: os.utime(place, ns=(7, 7)),
    lambda place: place.unlink(),
    lambda place: place.chmod(0o600),
    _swap,
    _rewrite,
]


def _old(place: Path) -> Path:
    """A new file that was there before, by the kernel's clock too."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("xb") as file:
        file.write(b"it")
    os.utime(place, ns=(5, 5))
    _tick(place)
    return place


def _tick(place: Path) -> None:
    """Let the clock of this file system go on by one step: it is coarse, and tests are quick."""
    probe = place.with_name(f"{place.name}-probe")
    probe.touch()
    while probe.stat().st_ctime_ns <= place.stat().st_ctime_ns:
        probe.touch()
    probe.unlink()


@pytest.mark.parametrize("change", CHANGES)
def test_a_program_that_was_replaced(tmp_path: Path, change: Callable[[Path], Any]) -> None:
    place = _old(tmp_path / "tool")
    before = marks.mark(str(place))
    assert marks.mark(str(place)) == before
    change(place)
    assert marks.mark(str(place)) != before


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ["bin/tool", "lib/python3.11/site-packages/package/module.py"])
def test_a_file_that_was_edited_in_place_beside_the_python_is_seen(
    tmp_path: Path, change: Callable[[Path], Any], name: str
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to("/usr/bin/python3")
    place = _old(tmp_path / name)
    gates = Sandboxed(GateTerms(python=f"{tmp_path}/bin/python3"))
    before = gates.sees()
    assert before is not None
    assert gates.sees() == before
    change(place)
    assert gates.sees() != before


@pytest.mark.parametrize("change", CHANGES)
def test_a_bound_file_that_was_changed_in_place_is_seen(
    tmp_path: Path, change: Callable[[Path], Any]
) -> None:
    place = _old(tmp_path / "data" / "deep" / "file")
    bound = [Sandboxed(GateTerms(binds=(str(top),))) for top in (place, tmp_path / "data")]
    before = [gates.sees() for gates in bound]
    assert None not in before
    assert [gates.sees() for gates in bound] == before
    change(place)
    assert all(gates.sees() != seen for gates, seen in zip(bound, before, strict=True))


def test_what_lies_in_usr_local_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = _old(tmp_path / "bin" / "tool")
    monkeypatch.setattr(runners, "LOCAL", (f"{tmp_path}/bin", f"{tmp_path}/none"))
    before = Sandboxed(GateTerms()).sees()
    place.chmod(0o700)
    assert Sandboxed(GateTerms()).sees() != before


def test_a_program_behind_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "tool-1", tmp_path / "tool"
    _old(real)
    link.symlink_to(real)
    before = marks.mark(str(link))
    real.write_bytes(b"new")
    assert marks.mark(str(link)) != before


def test_what_the_package_manager_did_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status = _old(tmp_path / "status")
    monkeypatch.setattr(marks, "_SYSTEM", (str(status),))
    before = list(marks.machine())
    assert list(marks.machine()) == before
    _rewrite(status)
    assert list(marks.machine()) != before


def test_all_that_is_bound_is_looked_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = _old(tmp_path / "a" / "b" / "it")
    seen = [marks.contents([str(place)]) for place in (tmp_path, deep)]
    assert None not in seen
    assert len({*seen, marks.contents([str(tmp_path), str(deep)]), marks.contents([])}) == 4
    deep.write_bytes(b"2")
    assert all(marks.contents([str(p)]) != s for p, s in zip((tmp_path, deep), seen, strict=True))
    (tmp_path / "a" / "link").symlink_to(tmp_path)  # a link counts as one, wherever it leads
    monkeypatch.setattr(marks, "MOST", 4)
    assert marks.contents([str(tmp_path)])
    assert marks.contents([str(tmp_path), str(tmp_path / "a" / "b")]) is None
    (tmp_path / "b\udcff\n").touch()
    assert marks.contents([str(tmp_path)]) is None


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
