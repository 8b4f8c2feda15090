"""Gates that execute code, each on a copy of the whole tree; where it runs is for runners.py to say.

A result is kept for the next review where it passed, or failed the same way at both attempts.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Protocol

import reviewbot
from reviewbot.core.errors import ReviewbotError, UsageError
from reviewbot.core.gates import faults, in_tree, said, started
from reviewbot.core.paths import path_bytes, path_text
from reviewbot.core.patterns import pattern
from reviewbot.core.types import EXECUTING, GateResult, GateRun, GateStatus, GateTerms, Side, Text
from reviewbot.gates import cache
from reviewbot.gates.expand import expanded, split
from reviewbot.gates.parallel import parallel
from reviewbot.gates.sandbox import End, Ended, Entry, Tree, lay_out
from reviewbot.gates.trees import Trees

UTF8 = ("utf-8", "surrogateescape")
LARGEST = 1_000_000  # bytes of a file that an output names; nobody reads a larger one

_STATUS = {End.TIMEOUT: GateStatus.TIMEOUT, End.CPU: GateStatus.TIMEOUT, End.MISSING: GateStatus.MISSING}
# What shells, `env`, make, pytest and Python say of what is not there.
_LACKS = pattern(
    r": (?:line )?\d{1,7}: (?P<shell>[\w.+-]{1,100}): (?:command )?not found$"
    r"|^\S{0,100}(?:env|make): \W?(?P<program>[\w.+-]{1,100})\W?: No such file or directory$"
    r"|^make: \*\*\* No rule to make target (?P<target>'[^'\n]{1,100}')\."
    r"|^ERROR: file or directory not found: (?P<file>\S{1,200})$"
    r"|No module named '?(?P<module>\w{1,100})",
    re.MULTILINE,
)
_LACKED = {
    "shell": "the command {}",
    "program": "the command {}",
    "target": "the target {} of make",
    "file": "the file {}",
    "module": "the Python module {}",
}
# The exits by which a shell says that a command cannot be started.
_UNSTARTED = {
    126: "a command that it starts cannot be executed",
    127: "a command that it starts is not there",
}


class Runner(Protocol):
    """Where a gate runs. `notice` is said of each that ran there; `why_not` why none may, or "". `sees` is
    what a run depends on beside its tree and argv; None where that cannot be told."""

    notice: str

    def why_not(self) -> str: ...

    def sees(self) -> Sequence[str] | None: ...

    def run(self, argv: tuple[str, ...], tree: Tree, seconds: float) -> Ended: ...

    def kill(self) -> None: ...


class Prover(Runner, Protocol):
    """Where a proof runs: on a copy of `tree` that has the files of `over` in it."""

    def run(self, argv: tuple[str, ...], tree: Tree, seconds: float, over: Tree | None = None) -> Ended: ...


class Executing:
    """`runner` is for gates, `prover` for proofs. With `cached`, results are kept, and those of an earlier
    review taken."""

    def __init__(
        self, trees: Trees, terms: GateTerms, runner: Runner, prover: Prover, cached: bool = False
    ) -> None:
        self._trees = trees
        self._terms = terms
        self._runner = runner
        self._prover = prover
        self._cached = cached
        self._failed: dict[str, GateResult] = {}  # by the key of the cache; what has failed once

    def run(self, runs: Sequence[GateRun]) -> list[GateResult]:
        """One result for each run, in their order, in which they are started too. Never raises for what a
        gate does."""
        if not self._terms.execute:
            why = "the configuration lets no gate execute code ([gates] execute)"
            return [GateResult(run, GateStatus.SKIPPED, reason=why) for run in runs]
        used = {self._where(run) for run in runs}
        closed = {runner: why for runner in used if (why := runner.why_not())}

        def one(run: GateRun) -> GateResult:
            if why := closed.get(self._where(run)):
                return _refused(run, why)
            return self._gate(run) if run.tool == EXECUTING else self._proof(run)

        return parallel(one, runs, self._kill)

    def _where(self, run: GateRun) -> Runner:
        return self._runner if run.tool == EXECUTING else self._prover

    def _kill(self) -> None:
        self._runner.kill()
        self._prover.kill()

    @cached_property
    def _sees(self) -> Sequence[str] | None:
        return self._runner.sees() if self._cached else None

    def _tree(self, side: Side) -> Tree:
        """Raises ReviewbotError, also for a tree that lacks a file: what passes there has proven nothing."""
        try:
            tree = self._trees.tree(side)
        except OSError as error:
            raise UsageError(f"the tree cannot be laid out: {error.strerror or error}") from error
        if tree.left_out:
            paths = [path for path, _ in tree.left_out]
            raise UsageError(f"the tree is not whole, {_without(paths)}: {tree.left_out[0][1]}")
        return tree

    def _proof(self, run: GateRun) -> GateResult:
        entries = [Entry(path_bytes(t.path), 0o100755, t.content.encode(*UTF8)) for t in run.files]
        try:
            with lay_out(entries) as own:
                if run.side is Side.RIGHT:
                    return _result(run, self._prover.run(run.argv, own, run.seconds))
                seconds = min(run.seconds, self._terms.timeout)
                return _result(run, self._prover.run(run.argv, self._tree(run.side), seconds, own))
        except ReviewbotError as error:
            return _refused(run, str(error))
        except OSError as error:
            return _refused(run, f"the proof cannot be laid out: {error.strerror or error}")

    def _gate(self, run: GateRun) -> GateResult:
        try:
            key = self._key(run)
            if key and not run.fresh and (found := cache.find(key, run)):
                return found
            result, whole = self._run(run, self._tree(run.side))
        except ReviewbotError as error:
            return _refused(run, str(error))
        except OSError as error:
            return _refused(run, f"it could not be run: {error.strerror or error}")
        if key and whole:
            self._keep(key, result)
        return result

    def _key(self, run: GateRun) -> str:
        """All that a result depends on, and so not the side; "" where that is not known."""
        if self._sees is None:
            return ""
        return cache.key(
            reviewbot.__version__,
            run.tool,
            run.argv,
            run.spec.patterns,
            self._trees.identity(run.side),
            self._sees,
        )

    def _keep(self, key: str, result: GateResult) -> None:
        """A failure is kept when it has come twice."""
        if result.status is GateStatus.PASSED and result.run.attempt == 1:
            cache.keep(key, result)
        elif result.status is GateStatus.FAILED and result.run.attempt == 1:
            self._failed[key] = result
        elif result.status is GateStatus.FAILED and key in self._failed:
            first = self._failed[key]
            if first.exit == result.exit and _identities(first) == _identities(result):
                cache.keep(key, first)

    def _run(self, run: GateRun, tree: Tree) -> tuple[GateResult, bool]:
        """The result, and whether the gate had all that it asked for."""
        script = started(run.argv)
        parts = split(run, script, tree.folder)
        if len(parts) == 1:
            result, whole = self._process(run, script, tree, self._terms.timeout)
        else:
            result, whole = self._processes(run, parts, tree)
        submodules = f"{_without(tree.submodules)}: a submodule" if tree.submodules else ""
        notes = (result.reason, self._runner.notice, submodules)
        return result._replace(reason="; ".join(filter(None, notes))), whole

    def _processes(self, run: GateRun, parts: Sequence[GateRun], tree: Tree) -> tuple[GateResult, bool]:
        """One process after the other, until one comes to no result: what failed, in one."""
        done: list[GateResult] = []
        whole, left = True, self._terms.timeout
        for part in parts:
            result, own = self._process(part, started(part.argv), tree, max(left, 0.1))
            done.append(result)
            left -= result.seconds
            whole = whole and own
            if result.status not in (GateStatus.PASSED, GateStatus.FAILED):
                break
        return _joined(run, done), whole

    def _process(self, run: GateRun, script: str, tree: Tree, seconds: float) -> tuple[GateResult, bool]:
        argv, globs = expanded(run, tree.folder)
        words = dict.fromkeys((script, *run.argv[1:]))
        names = tuple(w for w in words if w in globs or (_is_path(w, script) and _there(tree, w)))
        if script and script not in names:
            at = "head" if run.side is Side.RIGHT else "base"
            result = GateResult(run, GateStatus.MISSING, reason=f"there is no {script} at {at}")
            return result._replace(argv=argv, names=names), False
        ended = self._runner.run(argv, tree, seconds)
        result = _result(run, ended)._replace(argv=argv, names=names)
        if ended.how is End.TIMEOUT:
            result = result._replace(reason=f"{ended.why} ([gates] timeout)")
        lacks = ""
        if result.status is GateStatus.FAILED:
            result = result._replace(named=tuple(_named(result.output, tree)))
            lacks = _lacks(result, tree, self._terms.python or "the system's Python")
        if lacks or (script and result.status is GateStatus.MISSING):
            # At head it can be a slip of the change: `blame` decides, by what base says.
            status = GateStatus.FAILED if run.side is Side.RIGHT else GateStatus.MISSING
            result = result._replace(status=status)
        return result._replace(reason="; ".join(filter(None, (result.reason, lacks)))), not lacks


def _joined(run: GateRun, done: Sequence[GateResult]) -> GateResult:
    """The results of the processes of one gate as its own. Which of them failed is a row of its output."""
    undone = [result for result in done if result.status not in (GateStatus.PASSED, GateStatus.FAILED)]
    failed = [result for result in done if result.status is not GateStatus.PASSED]
    reasons = dict.fromkeys(result.reason for result in failed if result.reason)
    return (undone or failed or done)[0]._replace(
        run=run,
        seconds=sum(result.seconds for result in done),
        output="".join(map(_printed, done)),
        reason="; ".join(reasons) or f"{len(done)} processes, one for each file",
        cut=sum(result.cut for result in done),
        argv=run.argv,
        names=tuple({name: None for result in done for name in result.names if name in run.argv}),
        named=tuple({text.path: text for result in done for text in result.named}.values()),
    )


def _printed(result: GateResult) -> str:
    output = result.output if result.output.endswith("\n") or not result.output else f"{result.output}\n"
    return f"{output}`{' '.join(result.argv)}` fails: exit {result.exit}\n" if result.exit else output


def _identities(result: GateResult) -> Counter[tuple[str, str, str, str]]:
    return Counter(fault.identity for fault in faults(result))


def _without(paths: Sequence[bytes]) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"without {path_text(paths[0])}{more}"


def _refused(run: GateRun, why: str) -> GateResult:
    return GateResult(run, GateStatus.REFUSED, reason=why)


def _result(run: GateRun, ended: Ended) -> GateResult:
    """Only exit 0 is passed; what was ended by a limit has no result."""
    status = _STATUS.get(ended.how, GateStatus.REFUSED)
    if ended.how is End.EXITED:
        status = GateStatus.FAILED if ended.exit else GateStatus.PASSED
    output = ended.stdout + ended.stderr
    return GateResult(run, status, ended.exit, ended.seconds, output, ended.why, cut=ended.cut)


def _lacks(result: GateResult, tree: Tree, python: str) -> str:
    """What a failed gate could not find, and the tree does not bring. `python` is what ran Python code."""
    for found in _LACKS.finditer(result.output):
        form = found.lastgroup or ""
        name = found[form]
        if form != "module" or not any(_there(tree, f"{name}{end}") for end in ("", ".py")):
            ran = f" ({python} ran it: see [gates] python)" if form == "module" else ""
            return f"{_LACKED[form].format(name)} is not there for it to use{ran}"
    return "" if faults(result) else _UNSTARTED.get(result.exit or 0, "")


def _is_path(word: str, script: str) -> bool:
    """Whether a word is meant as a path: the target of a make can be called as a folder is."""
    return word == script or "/" in word or "." in word.partition("::")[0].strip(".")


def _there(tree: Tree, name: str) -> bool:
    """Whether the tree has an entry of this name, which may be a link. pytest writes `FILE::TEST`."""
    path = name.partition("::")[0]
    return bool(path) and not path.startswith("-") and os.path.lexists(os.path.join(tree.folder, path))


def _named(output: str, tree: Tree) -> Iterator[Text]:
    """The texts of the files that an output names."""
    paths = dict.fromkeys(in_tree(path) for one in said(output) for path, _ in one.where)
    for path in paths:
        place = os.path.join(tree.folder, path)
        if os.path.isabs(path) or path.startswith("../") or "\0" in path:
            continue
        if os.path.realpath(place) != os.path.join(os.path.realpath(tree.folder), path):
            continue  # behind a link
        if not os.path.isfile(place) or os.path.getsize(place) > LARGEST:
            continue
        with open(place, "rb") as file:
            yield Text(path, file.read().decode("utf-8", "replace"))
