"""The processes of a line with placeholders: which words, for which changed files."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.gates.placeholders import MOST, bound, processes
from reviewbot.core.skill.parts.gateline import parse_gate
from reviewbot.core.types import EXECUTING, GateRun, GateStatus, ScopeRow

ROWS = tuple(
    ScopeRow("", glob, written=glob) for glob in ("convert-<model>.sh", "arms/<model>/<arm>.sh", "**")
)


def runs(line: str, paths: Sequence[str], rows: Sequence[ScopeRow] = ROWS) -> list[GateRun]:
    spec = parse_gate(line, 1, bound(rows))
    assert spec.kind == "executing"
    return list(processes(GateRun("s", spec, EXECUTING, spec.argv), rows, paths))


def lines(line: str, *paths: str) -> list[str]:
    return [" ".join(run.argv) for run in runs(line, paths)]


@pytest.mark.parametrize(
    ("line", "paths", "wanted"),
    [
        (
            "bats tests/<each>.bats",
            ["tests/a.bats", "tests/b.bats"],
            ["bats tests/a.bats", "bats tests/b.bats"],
        ),
        ("./x <each>", ["b", "a"], ["./x b", "./x a"]),
        ("./x ./<each>", ["b"], ["./x ./b"]),
        ("./x --file=<each>", ["-b"], ["./x --file=-b"]),
        ("./x --file=lib/<each>.py", ["lib/b.py", "b.py"], ["./x --file=lib/b.py"]),
        ("./x <each>", ["-b"], ["./x ./-b"]),
        ("<each> --fast", ["b"], ["./b --fast"]),
        ("./lib/<each>.sh", ["lib/b.sh"], ["./lib/b.sh"]),
        ("./x --to out/<each>.txt in/<each>.sh", ["in/b.sh"], ["./x --to out/b.txt in/b.sh"]),
        ("./x in/<each>.sh in/<each>.sh", ["in/b.sh"], ["./x in/b.sh in/b.sh"]),
        ("./x <model>", ["convert-a.sh", "arms/a/1.sh", "arms/b/1.sh"], ["./x a", "./x b"]),
        ("./x <model> <arm>", ["convert-a.sh", "arms/b/1.sh"], ["./x b 1"]),
        ("./x '<model>'", ["convert-$(x).sh"], ["./x $(x)"]),
        ("./x lib/<each>.sh <model>", ["lib/convert-a.sh", "lib/b.sh"], ["./x lib/convert-a.sh a"]),
    ],
)
def test_the_words_of_each_process(line: str, paths: list[str], wanted: list[str]) -> None:
    assert lines(line, *paths) == wanted


def test_each_is_bound_where_a_row_says_so() -> None:
    rows = (ScopeRow("", "lib/<each>.sh", written="lib/<each>.sh"),)
    assert [run.argv for run in runs("bats t/<each>.bats", ["lib/a.sh"], rows)] == [("bats", "t/a.bats")]


@pytest.mark.parametrize("line", ["./x */<each>*b*c*d*e*f*g*h*i"])
def test_a_pattern_that_is_too_large_is_refused(line: str) -> None:
    (run,) = runs(line, ["a"])
    assert run.verdict is GateStatus.REFUSED
    assert "more than 8 `*`" in run.reason


@given(
    paths=st.lists(
        st.text("ab*?[]-. \n\udce9'$", min_size=1).filter(lambda p: p not in (".", "..")),
        min_size=1,
        unique=True,
    )
)
def test_a_path_is_one_word_whatever_is_in_it(paths: list[str]) -> None:
    for run, path in zip(runs("./x t/*.x <each> 'a b'", paths), paths, strict=True):
        word = f"./{path}" if path.startswith("-") else path
        assert run.argv == ("./x", "t/*.x", word, "a b")
        assert run.spec.patterns[1] == "t/*.x"
        assert run.spec.argv == run.argv


@given(count=st.integers(1, 3 * MOST))
def test_every_changed_file_is_run_or_named(count: int) -> None:
    found = runs("./x <each>", [f"f{number}" for number in range(count)])
    assert [run.argv[1] for run in found if run.verdict is None] == [f"f{n}" for n in range(min(count, MOST))]
    if count > MOST:
        assert found[-1].verdict is GateStatus.REFUSED
        named = found[-1].reason.count("./x f")
        more = found[-1].reason.partition(" and ")[2].removesuffix(" more")
        assert named + int(more or 0) == count - MOST
