"""What is run, and how it ended."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from reviewbot.core.types.change import Side, Text
from reviewbot.core.types.skill import GateSpec


class GateStatus(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    MISSING = "missing"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    SKIPPED = "skipped"


EXECUTING = "run"  # the tool of a gate that executes
PROVING = "prove"  # the tool of a proof, which executes too: always in the sandbox


class GateRun(NamedTuple):
    """One process to start: the tool of our table, its argv, and the texts it may see; or, where it
    executes code, any argv, and the whole tree of `side`.

    A run with a `verdict` is not started: it is refused or skipped for `reason`.
    """

    skill: str
    spec: GateSpec
    tool: str  # of core/gates/commands.py: "py-compile", "bash-n", "shellcheck", "ruff"; EXECUTING; "": none
    argv: tuple[str, ...]  # after expansion
    # Laid out in an empty folder, one for each of the last words of argv. Of a result of a gate that
    # executes: the files of the tree that its output named.
    files: tuple[Text, ...] = ()
    config: tuple[Text, ...] = ()  # tool configuration, from base
    side: Side = Side.RIGHT
    verdict: GateStatus | None = None
    reason: str = ""  # of the verdict; without one, a note for people
    skill_path: str = ""  # the file that `spec` stands in
    forbidden: tuple[str, ...] = ()  # codes that a skill forbids to report, sorted
    seconds: float = 0.0  # that a proof may take; 0: what the Gates port allows
    names: tuple[str, ...] = ()  # of a result of a gate that executes: what of the tree its words name
    attempt: int = 1  # 2: once more on the same tree, to see whether a failure comes again

    @property
    def syntax(self) -> bool:
        """Whether this run only asks if the files parse."""
        return self.tool in ("py-compile", "bash-n")

    @property
    def executes(self) -> bool:
        return self.tool in (EXECUTING, PROVING)


class GatePlan(NamedTuple):
    runs: tuple[GateRun, ...]


class GateResult(NamedTuple):
    """What became of one GateRun. A result exists for every run planned (law 2)."""

    run: GateRun
    status: GateStatus
    exit: int | None = None
    seconds: float = 0.0
    output: str = ""  # stdout, then stderr; bounded, paths as in `run.files`
    reason: str = ""
    blame: str = "unknown"  # "new" | "preexisting" | "fixed" | "flaky" | "unknown"
    again: GateResult | None = None  # of a failure that looked new: what the same tree gave at attempt 2
