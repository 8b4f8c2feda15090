"""The Gates port on this machine: lays the texts of a run out in an empty folder and starts its program.

Nothing of the reviewed tree is written. What would execute code of it is left to another.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence

import reviewbot
from reviewbot.core.gates import excuse_newer_syntax, laid_out
from reviewbot.core.paths import is_safe
from reviewbot.core.types import GatePlan, GateResult, GateRun, GateStatus, Text
from reviewbot.gates import cache
from reviewbot.gates.marks import mark
from reviewbot.gates.parallel import parallel
from reviewbot.gates.process import Children, Ended
from reviewbot.gates.programs import PROGRAMS, MissingProgram, Program, find, second_opinion

Execute = Callable[[Sequence[GateRun]], Sequence[GateResult]]  # one result for each run, in their order


def refused(runs: Sequence[GateRun]) -> list[GateResult]:
    return [GateResult(run, GateStatus.REFUSED, reason="no code is executed here") for run in runs]


class LocalGates:
    """`timeout` is in seconds, for each run. `execute` runs the gates that execute code. With `cached`, the
    results of the others are kept for the next review, and those of an earlier one taken."""

    def __init__(
        self,
        timeout: float = 120.0,
        programs: Mapping[str, Program] = PROGRAMS,
        execute: Execute = refused,
        cached: bool = False,
    ) -> None:
        self._timeout = timeout
        self._programs = programs
        self._execute = execute
        self._cached = cached

    def run(self, plan: GatePlan) -> tuple[GateResult, ...]:
        """One result for each run of the plan, in its order. Runs that differ in their skill alone are one
        process, whose result each of them has."""
        ready = [run for run in plan.runs if run.verdict is None]
        distinct = list({_work(run): run for run in ready}.values())
        children = Children()
        checking = [run for run in distinct if not run.executes]
        executing = [run for run in distinct if run.executes]
        results = parallel(lambda run: self._one(run, children), checking, children.kill)
        results += self._execute(executing) if executing else ()
        done = {_work(run): result for run, result in zip((*checking, *executing), results, strict=True)}
        return tuple(
            GateResult(run, run.verdict, reason=run.reason)
            if run.verdict
            else done[_work(run)]._replace(run=run)
            for run in plan.runs
        )

    def _one(self, run: GateRun, children: Children) -> GateResult:
        program = self._programs[run.tool]
        try:
            command = program.command(run)
            key = _key(run, command) if self._cached else ""
            if key and (found := cache.find(key, run)):
                return found
            result = self._started(run, program, command, children)
        except MissingProgram as error:
            return GateResult(run, GateStatus.MISSING, reason=str(error))
        except (OSError, ValueError) as error:  # no room, a name too long, two files of one name
            why = getattr(error, "strerror", None) or str(error)
            return GateResult(run, GateStatus.REFUSED, reason=f"it could not be started: {why}")
        if key and result.status in (GateStatus.PASSED, GateStatus.FAILED):
            cache.keep(key, result)
        return result

    def _started(
        self, run: GateRun, program: Program, command: Sequence[str], children: Children
    ) -> GateResult:
        from tempfile import TemporaryDirectory

        with TemporaryDirectory(prefix="reviewbot-") as tree:
            _lay_out((*run.config, *run.files), tree)
            ended = children.run(command, tree, self._timeout)
            result = _result(run, ended, program, self._timeout)
            if run.tool == "py-compile" and result.status is GateStatus.FAILED:
                result = self._without_newer_syntax(result, tree, children)
        return result

    def _without_newer_syntax(self, result: GateResult, tree: str, children: Children) -> GateResult:
        names = result.run.argv[len(result.run.argv) - len(result.run.files) :]
        try:
            opinion = children.run(second_opinion(names), tree, self._timeout)
        except MissingProgram:
            return result
        return excuse_newer_syntax(
            result, opinion.stdout, f"{sys.version_info.major}.{sys.version_info.minor}"
        )


def _work(run: GateRun) -> tuple[object, ...]:
    return run.tool, run.argv, run.spec.patterns, run.files, run.config, run.side, run.attempt, run.fresh


def _key(run: GateRun, command: Sequence[str]) -> str:
    """All that the result of a run depends on. The absolute words of a command are ours: its programs."""
    texts = [f"{text.path} {cache.digest(text.content)}" for text in (*run.config, *run.files)]
    programs = [mark(word) for word in command if os.path.isabs(word)]
    if run.tool == "py-compile":  # its second opinion
        programs += [f"Python {sys.version}", mark(find("ruff") or "ruff")]
    return cache.key(reviewbot.__version__, run.tool, command, texts, str(len(run.config)), programs)


def _lay_out(texts: Sequence[Text], tree: str) -> None:
    """Write the texts below the folder `tree`, each under its name. Raises OSError or ValueError."""
    for text in texts:
        name = laid_out(text.path)
        if not is_safe(name):
            raise ValueError(f"{name} is no path inside a repository")
        place = os.path.join(tree, name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "xb") as file:
            file.write(text.content.encode("utf-8", "surrogateescape"))


def _result(run: GateRun, ended: Ended, program: Program, timeout: float) -> GateResult:
    """Only exit 0 is passed, and only an exit code that means faults is failed."""
    status, reason = GateStatus.REFUSED, run.reason
    if ended.late:
        status, reason = GateStatus.TIMEOUT, f"ended after {timeout:g} s"
    elif ended.exit < 0:
        reason = f"ended by {_signal(-ended.exit)}"
    elif ended.exit and ended.exit not in program.faults:
        said = next((line.strip() for line in ended.stderr.split("\n") if line.strip()), "no message")
        reason = f"exit {ended.exit}: {said[:200]}"
    elif ended.cut:
        reason = f"{ended.cut} bytes of its output are more than what is kept, so some faults are not known"
    else:
        status = GateStatus.FAILED if ended.exit else GateStatus.PASSED
    exit_code = None if ended.late or ended.exit < 0 else ended.exit
    return GateResult(run, status, exit_code, ended.seconds, ended.stdout + ended.stderr, reason)


def _signal(number: int) -> str:
    name = signal.Signals(number).name
    return {"SIGXFSZ": "SIGXFSZ: too much output", "SIGXCPU": "SIGXCPU: too much processor time"}.get(
        name, name
    )
