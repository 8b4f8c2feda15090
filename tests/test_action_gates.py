"""What a fork's pull request may not have executed."""

from __future__ import annotations

from reviewbot.core.types import EXECUTING, GatePlan, GateResult, GateRun, GateStatus
from reviewbot.core.types.gate import PROVING
from reviewbot.wiring.action import NOT_HERE, OnlyParsing
from tests.gate_cases import spec


class Seen:
    def run(self, plan: GatePlan) -> tuple[GateResult, ...]:
        self.plan = plan
        return ()


def test_what_executes_is_skipped_and_what_parses_is_run() -> None:
    gates = Seen()
    line = spec("./run.sh", "executing")
    runs = [GateRun("s", line, tool, ("x",)) for tool in (EXECUTING, PROVING, "bash-n", "ruff")]
    OnlyParsing(gates).run(GatePlan(tuple(runs)))
    told = [(run.tool, run.verdict, run.reason) for run in gates.plan.runs]
    assert told == [
        (EXECUTING, GateStatus.SKIPPED, NOT_HERE),
        (PROVING, GateStatus.SKIPPED, NOT_HERE),
        ("bash-n", None, ""),
        ("ruff", None, ""),
    ]
