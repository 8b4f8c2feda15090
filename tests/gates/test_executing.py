"""The room between a plan and the place where its gates run: one tree for all, and a result for each."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

import pytest

import reviewbot
from reviewbot.core.errors import UsageError
from reviewbot.core.types import (
    EXECUTING,
    PROVING,
    GateResult,
    GateRun,
    GateSpec,
    GateStatus,
    GateTerms,
    Side,
    Text,
)
from reviewbot.gates.executing import Executing
from reviewbot.gates.sandbox import End, Ended, Entry, Tree
from reviewbot.gates.trees import Trees

FILES = {"run.sh": "one\ntwo\n", "lib/a.py": "x\n\ny\n"}


class Machine:
    """A runner that runs nothing: it says what it is told to say, and remembers the folders it saw."""

    notice = ""

    def __init__(
        self, *ended: Ended, why: str = "", sees: tuple[str, ...] | None = ("this machine",)
    ) -> None:
        self.ended = list(ended)
        self.why = why
        self.seen = sees
        self.folders: list[str] = []
        self.over: list[str] | None = None

    def why_not(self) -> str:
        return self.why

    def sees(self) -> tuple[str, ...] | None:
        return self.seen

    def run(self, argv: tuple[str, ...], tree: Tree, seconds: float, over: Tree | None = None) -> Ended:
        self.folders.append(tree.folder)
        self.over = over and sorted(os.listdir(over.folder))
        return self.ended.pop(0)

    def kill(self) -> None: ...


def entries(side: Side) -> Iterator[Entry]:
    yield from (Entry(path.encode(), 0o100755, text.encode()) for path, text in FILES.items())
    yield Entry(b"link", 0o120000, b"/etc/passwd")


def run(*argv: str, side: Side = Side.RIGHT, **more: Any) -> GateRun:
    words = argv or ("./run.sh",)
    return GateRun("s", GateSpec(" ".join(words), words, "executing"), EXECUTING, words, side=side, **more)


def results(machine: Machine, *runs: GateRun, files: Any = entries, execute: bool = True) -> list[GateResult]:
    with Trees(files) as trees:
        return Executing(trees, GateTerms(execute=execute), machine, machine).run(runs)


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
        (Ended(End.TIMEOUT, "ended after 2 s"), GateStatus.TIMEOUT, "ended after 2 s ([gates] timeout)"),
        (Ended(End.CPU, "cpu"), GateStatus.TIMEOUT, "cpu"),
        (Ended(End.EXITED, "too large", 153), GateStatus.FAILED, "too large"),
        (Ended(End.MEMORY, "memory"), GateStatus.REFUSED, "memory"),
        (Ended(End.OUTPUT, "output"), GateStatus.REFUSED, "output"),
        (Ended(End.FAILED, "no sandbox"), GateStatus.REFUSED, "no sandbox"),
        (Ended(End.EXITED, exit=0), GateStatus.PASSED, ""),
        (Ended(End.EXITED, exit=137), GateStatus.FAILED, ""),
    ],
)
def test_every_end_has_a_status(ended: Ended, status: GateStatus, reason: str) -> None:
    (result,) = results(Machine(ended), run())
    assert (result.status, result.reason, result.exit) == (status, reason, ended.exit)


def test_a_program_that_is_not_there_is_missing_and_one_of_the_tree_may_be_the_changes_fault() -> None:
    missing = Ended(End.MISSING, "x is not executable")
    found = results(Machine(*[missing] * 3), run("jq"), run(), run(side=Side.LEFT))
    assert [(r.status, r.reason) for r in found] == [
        (GateStatus.MISSING, "x is not executable"),
        (GateStatus.FAILED, "x is not executable"),
        (GateStatus.MISSING, "x is not executable"),
    ]


def test_a_failure_brings_the_texts_that_it_names() -> None:
    said = (
        "lib/a.py:3: wrong\n./run.sh: line 2: wrong\n/etc/passwd:1: wrong\nlink:1: wrong\n"
        "../x:1: wrong\nlib:1: wrong\nnone.py:1: wrong\na\0b:1: wrong\n"
    )
    (result,) = results(Machine(failed(said)), run("./run.sh", "lib/a.py::test", "none", "-x"))
    assert [(text.path, text.content) for text in result.named] == [
        ("lib/a.py", FILES["lib/a.py"]),
        ("run.sh", FILES["run.sh"]),
    ]
    assert result.names == ("./run.sh", "lib/a.py::test")
    assert result.output == f"out\n{said}"


def test_what_of_the_tree_a_gate_names_is_told_of_every_end() -> None:
    for ended in (Ended(End.EXITED, exit=0), Ended(End.TIMEOUT), failed("")):
        (result,) = results(Machine(ended), run("pytest", "lib/a.py::test", "none.py", side=Side.LEFT))
        assert result.names == ("lib/a.py::test",)


@pytest.mark.parametrize(
    ("side", "status"), [(Side.RIGHT, GateStatus.FAILED), (Side.LEFT, GateStatus.MISSING)]
)
@pytest.mark.parametrize(("exit", "does"), [(126, "cannot be executed"), (127, "is not there")])
def test_an_exit_that_says_a_command_was_not_started(
    side: Side, status: GateStatus, exit: int, does: str
) -> None:
    (result,) = results(Machine(failed("", exit)), run(side=side))
    assert (result.status, result.reason) == (status, f"a command that it starts {does}")
    (known,) = results(Machine(failed("run.sh:2: wrong\n", exit)), run(side=side))
    assert (known.status, known.reason) == (GateStatus.FAILED, "")


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


def test_nothing_passes_on_a_tree_that_is_not_whole() -> None:
    """It passed, with a note that nobody read."""

    def odd(side: Side) -> Iterator[Entry]:
        yield from entries(side)
        yield Entry(b".git/config", 0o100644, b"")
        yield Entry(b"../x", 0o100644, b"")

    proof = run(side=Side.LEFT)._replace(tool=PROVING, seconds=1.0)
    found = results(Machine(), run(), proof, files=odd)
    why = "the tree is not whole, without .git/config and 1 more: git's own folder"
    assert [(r.status, r.reason) for r in found] == [(GateStatus.REFUSED, why)] * 2


@pytest.mark.parametrize(
    ("ended", "status", "reason"),
    [
        (Ended(End.EXITED, exit=0), GateStatus.PASSED, ""),
        (failed(""), GateStatus.FAILED, ""),
        (
            failed("run.sh: line 3: jq: command not found\n", 127),
            GateStatus.FAILED,
            "the command jq is not there for it to use; ",
        ),
    ],
)
def test_a_submodule_is_said_of_every_end(ended: Ended, status: GateStatus, reason: str) -> None:
    def with_submodule(side: Side) -> Iterator[Entry]:
        yield from entries(side)
        yield Entry(b"sub", 0o160000, b"")

    (result,) = results(Machine(ended), run(), files=with_submodule)
    assert (result.status, result.reason) == (status, f"{reason}without sub: a submodule")


def test_an_output_that_was_cut_is_said_to_be() -> None:
    (result,) = results(Machine(failed("wrong\n")._replace(cut=9)), run())
    assert result.cut == 9


def test_what_fails_in_the_run_is_not_blamed_on_the_tree() -> None:
    class Full(Machine):
        def run(self, argv: tuple[str, ...], tree: Tree, seconds: float, over: Tree | None = None) -> Ended:
            raise OSError(28, "No space left on device")

    (result,) = results(Full(), run())
    assert (result.status, result.reason) == (
        GateStatus.REFUSED,
        "it could not be run: No space left on device",
    )


def test_a_place_that_may_not_run_is_asked_once() -> None:
    asked: list[str] = []

    class Closed(Machine):
        def why_not(self) -> str:
            asked.append("")
            return "no sandbox"

    found = results(Closed(), run(), run("true"), run()._replace(tool=PROVING))
    assert [r.reason for r in found] == ["no sandbox"] * 3
    assert len(asked) == 1


def test_a_tree_is_laid_out_once_for_all_plans_and_for_proofs() -> None:
    asked: list[Side] = []

    def counted(side: Side) -> Iterator[Entry]:
        asked.append(side)
        yield from entries(side)

    machine = Machine(*[Ended(End.EXITED, exit=0)] * 5)
    with Trees(counted) as trees:
        executing = Executing(trees, GateTerms(), machine, machine)
        executing.run([run(), run(side=Side.LEFT)])
        executing.run([run("true"), run(side=Side.LEFT)._replace(tool=PROVING, seconds=1.0), run(attempt=2)])
        assert sorted(asked) == sorted(Side)
        assert len(set(machine.folders)) == 2
    assert not any(map(os.path.exists, machine.folders))


def test_a_tree_that_cannot_be_had_is_not_asked_for_twice() -> None:
    asked: list[Side] = []

    def broken(side: Side) -> Iterator[Entry]:
        asked.append(side)
        raise UsageError("no tree")
        yield

    machine = Machine()
    with Trees(broken) as trees:
        executing = Executing(trees, GateTerms(), machine, machine)
        found = [
            *executing.run([run(), run("true")]),
            *executing.run([run(side=Side.LEFT)._replace(tool=PROVING)]),
        ]
    assert [(r.status, r.reason) for r in found] == [(GateStatus.REFUSED, "no tree")] * 3
    assert asked == [Side.RIGHT, Side.LEFT]


# --- what is kept for the next review ---------------------------------------------------------


class Reviews:
    """Reviews of trees that git knows by `name`; each has a machine of its own."""

    def __init__(self) -> None:
        self.name: str = "tree 1"
        self.asked = 0

    def files(self, side: Side) -> Iterator[Entry]:
        self.asked += 1
        return entries(side)

    def __call__(self, machine: Machine, *plans: list[GateRun], execute: bool = True) -> list[GateResult]:
        with Trees(self.files, lambda side: self.name) as trees:
            executing = Executing(trees, GateTerms(execute=execute), machine, machine, cached=True)
            return [result for plan in plans for result in executing.run(plan)]


@pytest.fixture
def reviews() -> Reviews:
    return Reviews()


SAID = "run.sh:2: wrong\n"
AGAIN = run(attempt=2)


def test_what_passed_is_not_run_again(reviews: Reviews) -> None:
    (first,) = reviews(Machine(Ended(End.EXITED, exit=0, stdout="fine\n", seconds=3.0)), [run()])
    (second,) = reviews(Machine(), [run()])
    assert (second.status, second.exit, second.output, second.seconds) == (
        GateStatus.PASSED,
        0,
        "fine\n",
        0.0,
    )
    assert re.fullmatch(r"kept from \d{4}-\d\d-\d\d \d\d:\d\d UTC", second.reason)
    assert (first.reason, second.run) == ("", first.run)
    assert reviews.asked == 1  # what is known by git's name is not even laid out


def test_what_failed_twice_is_not_run_again(reviews: Reviews) -> None:
    first, _ = reviews(Machine(failed(SAID), failed(SAID)), [run()], [AGAIN])
    second, third = reviews(Machine(), [run()], [AGAIN])
    assert (second.status, second.exit, second.output) == (GateStatus.FAILED, 1, f"out\n{SAID}")
    assert second.run == first.run
    assert [text.content for text in second.named] == [FILES["run.sh"]]
    assert third.status is GateStatus.FAILED


@pytest.mark.parametrize(
    "ended",
    [
        [failed(SAID)],
        [failed(SAID), Ended(End.EXITED, exit=0)],
        [failed(SAID), failed("lib/a.py:1: wrong\n")],
        [failed(SAID), failed(SAID, 2)],
        [failed("a.sh: line 3: jq: command not found\n", 127)] * 2,
        [Ended(End.TIMEOUT)] * 2,
        [Ended(End.MISSING)] * 2,
        [Ended(End.FAILED)] * 2,
        [Ended(End.OUTPUT)] * 2,
    ],
)
def test_nothing_else_is_kept(reviews: Reviews, ended: list[Ended]) -> None:
    plans = [[run()], [AGAIN]][: len(ended)]
    reviews(Machine(*ended), *plans)
    anew = Machine(Ended(End.EXITED, exit=0))
    (result,) = reviews(anew, [run()])
    assert (result.reason, anew.ended) == ("", [])


@pytest.mark.parametrize(
    ("name", "sees", "gate"),
    [
        ("tree 2", ("this machine",), run()),
        ("tree 1", ("another machine",), run()),
        ("tree 1", ("this machine", ""), run()),
        ("tree 1", None, run()),
        ("tree 1", ("this machine",), run("./run.sh", "")),
    ],
)
def test_another_tree_machine_or_command_is_run(
    reviews: Reviews, name: str, sees: Any, gate: GateRun
) -> None:
    reviews(Machine(Ended(End.EXITED, exit=0)), [run()])
    reviews.name = name
    anew = Machine(Ended(End.EXITED, exit=0), sees=sees)
    (result,) = reviews(anew, [gate])
    assert (result.reason, anew.ended) == ("", [])


def test_what_was_head_is_known_as_base(reviews: Reviews) -> None:
    reviews(Machine(Ended(End.EXITED, exit=0)), [run()])
    (result,) = reviews(Machine(), [run(side=Side.LEFT)])
    assert (result.status, result.run.side) == (GateStatus.PASSED, Side.LEFT)


def test_another_version_runs_it(reviews: Reviews, monkeypatch: pytest.MonkeyPatch) -> None:
    reviews(Machine(Ended(End.EXITED, exit=0)), [run()])
    monkeypatch.setattr(reviewbot, "__version__", "99")
    anew = Machine(Ended(End.EXITED, exit=0))
    assert [r.reason for r in reviews(anew, [run()])] == [""]


def test_a_tree_without_a_name_is_told_by_its_files(
    reviews: Reviews, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviews.name = ""
    passed = Ended(End.EXITED, exit=0)
    reviews(Machine(passed), [run()])
    assert reviews(Machine(), [run()])[0].status is GateStatus.PASSED
    for path, text in (("lib/a.py", "other\n"), ("lib/b.py", "x\n\ny\n")):
        monkeypatch.setitem(FILES, path, text)
        anew = Machine(passed)
        reviews(anew, [run()])
        assert anew.ended == []


def test_what_may_not_run_is_not_taken_from_the_cache_either(reviews: Reviews) -> None:
    reviews(Machine(Ended(End.EXITED, exit=0)), [run()])
    assert reviews(Machine(why="no sandbox"), [run()])[0].status is GateStatus.REFUSED
    off = reviews(Machine(), [run()], execute=False)
    assert off[0].status is GateStatus.SKIPPED


def test_what_was_kept_is_not_taken_where_it_must_be_fresh(reviews: Reviews) -> None:
    reviews(Machine(Ended(End.EXITED, exit=0)), [run()])
    (kept,) = reviews(Machine(), [run()])
    (anew,) = reviews(Machine(failed("")), [run(fresh=True)])
    assert (kept.status, kept.kept) == (GateStatus.PASSED, True)
    assert (anew.status, anew.kept) == (GateStatus.FAILED, False)


def test_a_failure_of_which_two_runs_say_different_things_is_not_kept(reviews: Reviews) -> None:
    """Taken from there its message would be the same at every attempt, and new."""
    reviews(Machine(failed("run.sh:2: wrong\n"), failed("run.sh:2: false\n")), [run()], [AGAIN])
    anew = Machine(failed(SAID))
    reviews(anew, [run()])
    assert anew.ended == []


def test_a_proof_runs_in_the_tree_at_base_with_its_own_files_in_it() -> None:
    asked: list[Side] = []

    def counted(side: Side) -> Iterator[Entry]:
        asked.append(side)
        yield from entries(side)

    machine = Machine(*[Ended(End.EXITED, exit=0)] * 2)
    proof = run(side=Side.LEFT)._replace(tool=PROVING, seconds=1.0, files=(Text("new.sh", "x\n"),))
    results(machine, proof, files=counted)
    assert (asked, machine.over) == ([Side.LEFT], ["new.sh"])
    results(machine, proof._replace(side=Side.RIGHT), files=counted)
    assert (asked, machine.over) == ([Side.LEFT], None)
