"""What detectors, rules and gates say of both sides of a change."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from reviewbot.core import ledger, rules
from reviewbot.core.gates import apart, blame, both, plan_gates, read_gates, recheck
from reviewbot.core.tools import Tools
from reviewbot.core.types import Candidate, Change, GatePlan, GateResult, Incomplete, Scope, Side, Texts
from reviewbot.detectors.bind import Bindings, bind_all
from reviewbot.detectors.sweep import scripts, sweep


class Seen(NamedTuple):
    head: Texts
    base: Texts  # of the files in which head has something, keyed by head paths
    bindings: Bindings
    plan: GatePlan  # of head
    gates: tuple[GateResult, ...]  # of head, with their blame
    candidates: tuple[Candidate, ...]
    had: tuple[Candidate, ...]  # at base
    faults: tuple[Incomplete, ...]
    paths: frozenset[str]  # that anything read
    bound: ledger.Bound
    foreign: Mapping[str, Mapping[str, int]]  # path -> program that is no shell -> `run:` blocks for it
    unparsed: tuple[Incomplete, ...]  # at base


def look(
    change: Change,
    scope: Scope,
    files: Mapping[str, bytes],
    read: Callable[[Side, Collection[str]], Texts],
    tools: Tools,
) -> Seen:
    """Head first, then what base had of it. `files` holds the tools' configuration at base."""
    head = read(Side.RIGHT, scope.paths)
    bindings = bind_all(scope.assignments)
    ruling = tools.rules.start(rules.plan_rules(scope, head, scripts))
    swept = sweep(bindings, head, tools.progress)
    tools.progress("gates")
    plan = plan_gates(scope, head, files)
    gates = apart(tools.gates.run(both(plan)), change)
    ruled = ruling()
    found = (*swept.candidates, *rules.read_rules(ruled))
    base = read(Side.LEFT, ledger.suspects(found, gates))
    ruling = tools.rules.start(rules.plan_rules(scope, base, scripts))
    swept_base = sweep(bindings, base)
    gates, gates_base = blame(gates, tools.gates.run(recheck(gates, base)))
    ruled_base = ruling()
    faults = (*swept.faults, *ruled.faults, *swept_base.failures, *ruled_base.failures)
    return Seen(
        head,
        base,
        bindings,
        plan,
        gates,
        candidates=(*found, *read_gates(gates)),
        had=(*swept_base.candidates, *rules.read_rules(ruled_base), *read_gates(gates_base)),
        faults=faults,
        paths=swept.paths | rules.rule_paths(ruled) | ledger.gated(gates, scope),
        bound=rules.joined(bindings.bound(swept.looked, ledger.sure(head, faults)), ruled),
        foreign=swept.foreign | ruled.foreign,
        unparsed=swept_base.unparsed + ruled_base.unread,
    )
