"""Gates that execute code, each on a copy of the whole tree; where it runs is for runners.py to say.

A result is kept for the next review where it passed, or failed the same way at both attempts.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import reviewbot
from reviewbot.core.errors import ReviewbotError
from reviewbot.core.gates import faults, in_tree, said
from reviewbot.core.paths import path_bytes, path_text
from reviewbot.core.types import EXECUTING, GateResult, GateRun, GateStatus, GateTerms, Side, Text
from reviewbot.gates import cache
from reviewbot.gates.expand import expanded, written
from reviewbot.gates.parallel import parallel
from reviewbot.gates.sandbox import End, Ended, Entry, Tree, lay_out
from reviewbot.gates.trees import Trees

UTF8 = ("utf-8", "surrogateescape")
LARGEST = 1_000_000  # bytes of a file that an output names; nobody reads a larger one

_STATUS = {End.TIMEOUT: GateStatus.TIMEOUT, End.CPU: GateStatus.TIMEOUT, End.MISSING: GateStatus.MISSING}
# What shells, `env`, make, pytest and Python say of what is not there.
_LACKS = re.compile(
    r": (?:line )?\d{1,7}: (?P<shell>[\w.+-]{1,100}): (?:command )?not found$"
    r"|^\S{0,100}(?:env|make): \W?(?P<program>[\w.+-]{1,100})\W?: No such file or directory$"
    r"|^make: \*\*\* No rule to make (?P<target>target '[^'\n]{1,100}')\."
    r"|^ERROR: (?P<file>file) or directory not found: (?P<name>\S{1,200})$"
    r"|No module named '?(?P<module>\w{1,100})",
    re.MULTILINE,
)
_SCRIPT = re.compile(r"(?:(?:ba|da|k)?sh|python[\d.]*)$")


class Runner(Protocol):
    """Where a gate runs. `notice` is said of each that ran there; `why_not` why none may, or "". `sees` is
    what a run depends on beside its tree and argv; None where that cannot be told."""

    notice: str

    def why_not(self) -> str: ...

    def sees(self) -> Sequence[str] | None: ...

    def run(self, argv: tuple[str, ...], tree: Tree, seconds: float) -> Ended: ...

    def kill(self) -> None: ...


class Executing:
    """`runner` is for gates, `prover` for proofs. With `cached`, results are kept, and those of an earlier
    review taken."""

    def __init__(
        self, trees: Trees, terms: GateTerms, runner: Runner, prover: Runner, cached: bool = False
    ) -> None:
        self._trees = trees
        self._terms = terms
        self._runner = runner
        self._prover = prover
        self._sees = runner.sees() if cached and terms.execute else None
        self._failed: dict[str, GateResult] = {}  # by the key of the cache; what has failed once

    def run(self, runs: Sequence[GateRun]) -> list[GateResult]:
        """One result for each run, in their order, in which they are started too. Never raises for what a
        gate does."""
        if not self._terms.execute:
            why = "the configuration lets no gate execute code ([gates] execute)"
            return [GateResult(run, GateStatus.SKIPPED, reason=why) for run in runs]
        gates = [run for run in runs if run.tool == EXECUTING]
        proofs = [run for run in runs if run.tool != EXECUTING]
        done = dict(zip(gates, _all(self._gate, gates, self._runner), strict=True))
        done.update(zip(proofs, _all(self._proof, proofs, self._prover), strict=True))
        return [done[run] for run in runs]

    def _proof(self, run: GateRun) -> GateResult:
        entries = [Entry(path_bytes(t.path), 0o100755, t.content.encode(*UTF8)) for t in run.files]
        try:
            if not entries:
                tree = self._trees.tree(run.side)
                seconds = min(run.seconds, self._terms.timeout)
                return _result(run, self._prover.run(run.argv, tree, seconds), "")
            with lay_out(entries) as tree:
                return _result(run, self._prover.run(run.argv, tree, run.seconds), "")
        except ReviewbotError as error:
            return _refused(run, str(error))
        except OSError as error:
            return _refused(run, f"the proof cannot be laid out: {error.strerror or error}")

    def _gate(self, run: GateRun) -> GateResult:
        try:
            key = self._key(run)
            if key and (found := cache.find(key, run)):
                return found
            result, whole = self._run(run, self._trees.tree(run.side))
        except ReviewbotError as error:
            return _refused(run, str(error))
        except OSError as error:
            return _refused(run, f"the tree cannot be laid out: {error.strerror or error}")
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
            written(run),
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
            if first.exit == result.exit and _places(first) == _places(result):
                cache.keep(key, first)

    def _run(self, run: GateRun, tree: Tree) -> tuple[GateResult, bool]:
        """The result, and whether the gate had all that it asked for."""
        words = written(run)
        script = _script(words)
        run, globs = expanded(run, tree.folder)
        names = (word for word in (script, *words[1:]) if word in globs or _there(tree, word))
        run = run._replace(names=tuple(names))
        if script and script not in run.names:
            at = "head" if run.side is Side.RIGHT else "base"
            return GateResult(run, GateStatus.MISSING, reason=f"there is no {script} at {at}"), False
        notice = "; ".join(filter(None, (self._runner.notice, _left_out(tree))))
        result = _result(run, self._runner.run(run.argv, tree, self._terms.timeout), notice)
        if result.status is not GateStatus.FAILED:
            return result, True
        lacks = _lacks(result.output, tree)
        if lacks:
            # At head it can be a slip of the change: `blame` decides, by what base says.
            status = result.status if run.side is Side.RIGHT else GateStatus.MISSING
            result = result._replace(status=status, reason=f"{lacks} is not there for it to use")
        return result._replace(run=run._replace(files=tuple(_named(result.output, tree)))), not lacks


def _all(one: Callable[[GateRun], GateResult], runs: Sequence[GateRun], runner: Runner) -> list[GateResult]:
    """The results of runs, or the reason why none of them may run."""
    if runs and (why := runner.why_not()):
        return [_refused(run, why) for run in runs]
    return parallel(one, runs, runner.kill)


def _places(result: GateResult) -> Counter[tuple[str, str, str]]:
    return Counter((fault.path, fault.code, fault.quote) for fault in faults(result))


def _left_out(tree: Tree) -> str:
    """What of a commit no disk can hold, in words; "" where it has all of it."""
    if not tree.left_out:
        return ""
    path, why = tree.left_out[0]
    more = f" and {len(tree.left_out) - 1} more" if len(tree.left_out) > 1 else ""
    return f"without {path_text(path)}{more}: {why}"


def _refused(run: GateRun, why: str) -> GateResult:
    return GateResult(run, GateStatus.REFUSED, reason=why)


def _result(run: GateRun, ended: Ended, notice: str) -> GateResult:
    """Only exit 0 is passed; what was ended by a limit has no result."""
    output = ended.stdout + ended.stderr
    if ended.how is not End.EXITED:
        status = _STATUS.get(ended.how, GateStatus.REFUSED)
        return GateResult(run, status, None, ended.seconds, output, ended.why)
    status = GateStatus.FAILED if ended.exit else GateStatus.PASSED
    return GateResult(run, status, ended.exit, ended.seconds, output, notice)


def _lacks(output: str, tree: Tree) -> str:
    """What a failed gate could not find, and the tree does not bring."""
    for found in _LACKS.finditer(output):
        if command := found["shell"] or found["program"]:
            return f"the command {command}"
        if found["target"]:
            return f"the {found['target']} of make"
        if found["file"]:
            return f"the file {found['name']}"
        if not any(_there(tree, f"{found['module']}{end}") for end in ("", ".py")):
            return f"the Python module {found['module']}"
    return ""


def _script(argv: Sequence[str]) -> str:
    """The file of the tree that a command starts, or ""."""
    if "/" in argv[0]:
        return argv[0]
    script = argv[1] if _SCRIPT.match(argv[0]) and len(argv) > 1 else ""
    return "" if script.startswith("-") else script


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
