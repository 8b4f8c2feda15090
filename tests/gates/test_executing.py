"""The room between a plan and the place where its gates run: one tree for all, and a result for each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.core.types import EXECUTING, GateResult, GateRun, GateSpec, GateStatus, GateTerms, Side
from reviewbot.gates.executing import Executing
from reviewbot.gates.sandbox import End, Ended, Entry, Tree

FILES = {"run.sh": "one\ntwo\n", "lib/a.py": "x\n\ny\n"}


class Machine:
    """A runner that runs nothing: it says what it is told to say, and remembers the folders it saw."""

    notice = ""

    def __init__(self, *ended: Ended, why: str = "") -> None:
        self.ended = list(ended)
        self.why = why
        self.folders: list[str] = []

    def why_not(self) -> str:
        return self.why

    def run(self, argv: tuple[str, ...], tree: Tree) -> Ended:
        self.folders.append(tree.folder)
        return self.ended.pop(0)

    def kill(self) -> None: ...


def entries(side: Side) -> Iterator[Entry]:
    yield from (Entry(path.encode(), 0o100755, text.encode()) for path, text in FILES.items())
    yield Entry(b"link", 0o120000, b"/etc/passwd")


def run(*argv: str, side: Side = Side.RIGHT, **more: Any) -> GateRun:
    words = argv or ("./run.sh",)
    return GateRun("s", GateSpec(" ".join(words), words, "executing"), EXECUTING, words, side=side, **more)


def results(machine: Machine, *runs: GateRun, files: Any = entries, execute: bool = True) -> list[GateResult]:
    return Executing(files, GateTerms(execute=execute), machine).run(runs)


def failed(stderr: str, exit: int = 1) -> Ended:
    return Ended(End.EXITED, "", exit, 0.5, "out\n", stderr)


def test_all_gates_of_a_side_share_a_tree_that_is_gone_behind_them() -> None:
    machine = Machine(*[Ended(End.EXITED, exit=0)] * 3)
    found = results(machine, run(), run("true"), run(side=Side.LEFT))
    assert [(r.status, r.exit, r.run.side) for r in found] == [
        (GateStatus.PASSED, 0, Side.RIGHT),
        (GateStatus.PASSED, 0, Side.RIGHT),
        (GateStatus.PASSED, 0, Side.LEFT),
    ]
    assert len(set(machine.folders)) == 2
    assert not any(map(os.path.exists, machine.folders))


def test_no_tree_is_asked_for_where_nothing_may_run() -> None:
    def never(side: Side) -> Iterator[Entry]:
        raise AssertionError("a tree was asked for")

    (refused,) = results(Machine(why="no sandbox"), run(), files=never)
    assert (refused.status, refused.reason) == (GateStatus.REFUSED, "no sandbox")
    (skipped,) = results(Machine(), run(), files=never, execute=False)
    assert skipped.status is GateStatus.SKIPPED


def _too_large(side: Side) -> Iterator[Entry]:
    yield Entry(b"a", 0o100644, b"")
    raise UsageError("the tree is too large")


def _full(side: Side) -> Iterator[Entry]:
    yield Entry(b"a", 0o100644, b"")
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("files", "why"),
    [
        (_too_large, "the tree is too large"),
        (_full, "the tree cannot be laid out: No space left on device"),
    ],
)
def test_a_tree_that_cannot_be_had_refuses_all(files: Any, why: str) -> None:
    found = results(Machine(), run(), run("true"), files=files)
    assert [(r.status, r.reason) for r in found] == [(GateStatus.REFUSED, why)] * 2


@pytest.mark.parametrize(
    ("ended", "status", "reason"),
    [
        (Ended(End.TIMEOUT, "ended after 2 s"), GateStatus.TIMEOUT, "ended after 2 s"),
        (Ended(End.CPU, "cpu"), GateStatus.TIMEOUT, "cpu"),
        (Ended(End.MISSING, "x is not in the sandbox"), GateStatus.MISSING, "x is not in the sandbox"),
        (Ended(End.MEMORY, "memory"), GateStatus.REFUSED, "memory"),
        (Ended(End.OUTPUT, "output"), GateStatus.REFUSED, "output"),
        (Ended(End.FILE, "file"), GateStatus.REFUSED, "file"),
        (Ended(End.FAILED, "no sandbox"), GateStatus.REFUSED, "no sandbox"),
        (Ended(End.EXITED, exit=0), GateStatus.PASSED, ""),
        (Ended(End.EXITED, exit=137), GateStatus.FAILED, ""),
    ],
)
def test_every_end_has_a_status(ended: Ended, status: GateStatus, reason: str) -> None:
    (result,) = results(Machine(ended), run())
    assert (result.status, result.reason, result.exit) == (status, reason, ended.exit)


def test_a_failure_brings_the_texts_that_it_names() -> None:
    said = (
        "lib/a.py:3: wrong\n./run.sh: line 2: wrong\n/etc/passwd:1: wrong\nlink:1: wrong\n"
        "../x:1: wrong\nlib:1: wrong\nnone.py:1: wrong\na\0b:1: wrong\n"
    )
    (result,) = results(Machine(failed(said)), run("./run.sh", "lib/a.py::test", "none", "-x"))
    assert [(text.path, text.content) for text in result.run.files] == [
        ("lib/a.py", FILES["lib/a.py"]),
        ("run.sh", FILES["run.sh"]),
    ]
    assert result.run.names == ("./run.sh", "lib/a.py::test")
    assert result.output == f"out\n{said}"


def test_what_base_has_not_is_not_run_there() -> None:
    (result,) = results(Machine(), run(side=Side.LEFT, names=("run.sh", "lib/new.py")))
    assert (result.status, result.reason) == (GateStatus.SKIPPED, "there is no lib/new.py at base")


@pytest.mark.parametrize(
    ("side", "status"), [(Side.RIGHT, GateStatus.FAILED), (Side.LEFT, GateStatus.MISSING)]
)
def test_what_it_lacks_is_said_on_both_sides(side: Side, status: GateStatus) -> None:
    (result,) = results(Machine(failed("run.sh: line 3: jq: command not found\n", 127)), run(side=side))
    assert (result.status, result.reason) == (status, "the command jq is not there for it to use")


@pytest.mark.parametrize(
    "said", ["No module named 'lib'", "key: not found", "a.sh: 3: ./b.sh: not found", "No such file: x"]
)
def test_what_the_tree_brings_itself_is_not_lacking(said: str) -> None:
    (result,) = results(Machine(failed(said)), run())
    assert (result.status, result.reason) == (GateStatus.FAILED, "")


def test_what_no_disk_can_hold_is_said() -> None:
    def odd(side: Side) -> Iterator[Entry]:
        yield from entries(side)
        yield Entry(b".git/config", 0o100644, b"")

    (result,) = results(Machine(Ended(End.EXITED, exit=0)), run(), files=odd)
    assert (result.status, result.reason) == (
        GateStatus.PASSED,
        "without .git/config: git's own folder",
    )
