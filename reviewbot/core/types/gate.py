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
    executes code, any argv, and the whole tree of `side`. A proof sees its texts alone, or, at the side of
    base, in that tree.

    A run with a `verdict` is not started: it is refused or skipped for `reason`.
    """

    skill: str
    spec: GateSpec
    tool: str  # of core/gates/commands.py: "py-compile", "bash-n", "shellcheck", "ruff"; EXECUTING; "": none
    argv: tuple[str, ...]
    files: tuple[Text, ...] = ()  # laid out in an empty folder; of a checker the last words of argv
    config: tuple[Text, ...] = ()  # tool configuration, from base
    side: Side = Side.RIGHT
    verdict: GateStatus | None = None
    reason: str = ""  # of the verdict; without one, a note for people
    skill_path: str = ""  # the file that `spec` stands in
    forbidden: tuple[str, ...] = ()  # codes that a skill forbids to report, sorted
    seconds: float = 0.0  # that a proof may take; 0: what the Gates port allows
    attempt: int = 1  # 2: once more on the same tree, to see whether a failure comes again
    fresh: bool = False  # whether no result of an earlier review will do

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
    output: str = ""  # stdout, then stderr; bounded, paths as in the tree
    reason: str = ""
    blame: str = "unknown"  # "new" | "preexisting" | "fixed" | "flaky" | "unknown"
    again: GateResult | None = None  # of a failure that looked new: what the same tree gave at attempt 2
    base: GateResult | None = None  # what the tree, or the files, at base gave
    cut: int = 0  # bytes that it printed and that are not in `output`
    argv: tuple[str, ...] = ()  # of a gate that executes, as of what follows: its words behind their globs
    names: tuple[str, ...] = ()  # its words that name something in the tree
    named: tuple[Text, ...] = ()  # the files of the tree that its output names
    kept: bool = False  # whether it is that of an earlier review
    # Of a new failure, what says so where no line of the tree does: "it counts 3 failed, and 2 on base".
    told: str = ""
    # Path, code and quote of those of its faults of which two runs of one tree say different things.
    drawn: tuple[tuple[str, str, str], ...] = ()

    @property
    def command(self) -> tuple[str, ...]:
        """What was started, or would have been."""
        return self.argv or self.run.argv
