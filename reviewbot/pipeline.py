"""The table of contents: how a change becomes a Review."""

from __future__ import annotations

from functools import partial

from reviewbot.core import guidance, ledger, rulebook, rules, verify
from reviewbot.core.gates import apart, blame, both, config_paths, plan_gates, read_gates, recheck, suppressed
from reviewbot.core.ports import Tools
from reviewbot.core.prove import prove
from reviewbot.core.rehearse import rehearse
from reviewbot.core.scope import assign, claims, needs_first_line
from reviewbot.core.types import Review, Side, Skills
from reviewbot.detectors.bind import bind_all
from reviewbot.detectors.sweep import resweep, scripts, sweep


def review(skills: Skills, tools: Tools) -> Review:
    """Review one change. Raises UsageError where the change cannot be read at all."""
    change = tools.source.change(claims(skills))
    read = partial(tools.source.read, change)
    scope = assign(change, skills, read(Side.RIGHT, needs_first_line(change, skills)).first_lines())
    head = read(Side.RIGHT, scope.paths)
    bindings = bind_all(scope.assignments)
    ruling = tools.rules.start(rules.plan_rules(scope, head, scripts))
    swept = sweep(bindings, head, tools.progress)
    named = (*config_paths(scope.paths), *guidance.places(scope.paths))
    files = tools.source.base_files(named, guidance.FOLDERS)
    plan = plan_gates(scope, head, files)
    gates = apart(tools.gates.run(both(plan)), change)
    candidates = (*swept.candidates, *rules.read_rules(ruled := ruling()))
    base = read(Side.LEFT, ledger.suspects(candidates, gates))
    ruling = tools.rules.start(rules.plan_rules(scope, base, scripts))
    swept_base = sweep(bindings, base)
    gates, gates_base = blame(gates, tools.gates.run(recheck(gates, base)))

    edited = {side: read(side, rulebook.edited_rules(change)) for side in Side}
    claimed = (*candidates, *read_gates(gates), *rulebook.read_edits(change, edited))
    checked, rejections = verify.check(claimed, rulebook.quotable(head, edited, gates))
    had = (*swept_base.candidates, *rules.read_rules(ruled_base := ruling()), *read_gates(gates_base))
    checked, capped = verify.digest(verify.compare(checked, had, change))
    checked, disproved = prove(checked, head, tools.gates)
    tried = rehearse(verify.new(checked), head, claimed, plan, tools.gates, partial(resweep, bindings))
    findings = verify.conclude(checked, change, tried)

    faults = (*swept.faults, *ruled.faults, *swept_base.failures, *ruled_base.failures)
    looked = swept.paths | rules.rule_paths(ruled) | ledger.gated(gates, scope)
    bound = rules.joined(bindings.bound(swept.looked, ledger.sure(head, faults)), ruled)
    return Review(
        change=ledger.noted(change, swept.foreign | ruled.foreign, swept_base.unparsed + ruled_base.unread),
        skills=skills,
        scope=scope,
        incomplete=ledger.shortfalls(skills, head, base, looked, faults, gates),
        gates=gates,
        findings=findings,
        rejections=(*rejections, *capped, *disproved, *suppressed(gates)),
        checked=ledger.classes(scope, bound, findings, rejections),
        uncovered=ledger.uncovered(scope, head, looked),
        guidance=guidance.read(files, scope.paths),
    )
