"""The table of contents: how a change becomes a Review."""

from __future__ import annotations

from reviewbot.core.gates import blame, config_paths, on_base, plan_gates, read_gates, suppressed
from reviewbot.core.ledger import classes, gated, noted, shortfalls, suspects, uncovered
from reviewbot.core.ports import Tools
from reviewbot.core.rehearse import rehearse, spliced
from reviewbot.core.scope import assign, claims, needs_first_line
from reviewbot.core.types import Review, Side, Skills
from reviewbot.core.verify import check, compare, conclude, digest
from reviewbot.detectors.bind import bind_all
from reviewbot.detectors.sweep import sweep


def review(skills: Skills, tools: Tools) -> Review:
    """Review one change. Raises UsageError where the change cannot be read at all."""
    change = tools.source.change(claims(skills))
    sniffed = tools.source.read(change, Side.RIGHT, needs_first_line(change, skills))
    scope = assign(change, skills, sniffed.first_lines())
    head = tools.source.read(change, Side.RIGHT, scope.paths)

    bindings = bind_all(scope.assignments)
    swept = sweep(bindings, head, tools.progress)
    plan = plan_gates(scope, head, tools.source.base_files(config_paths(scope.paths)))
    gates = tools.gates.run(plan)
    candidates = (*swept.candidates, *read_gates(gates))

    base = tools.source.read(change, Side.LEFT, suspects(candidates, gates))
    swept_base = sweep(bindings, base)
    gates_base = tools.gates.run(on_base(gates, base))
    gates = blame(gates, gates_base)

    checked, rejections = check(candidates, head)
    checked = compare(checked, (*swept_base.candidates, *read_gates(gates_base)), change)
    checked, capped = digest(checked)
    todo, fell = spliced((c.candidate for c in checked if not c.preexisting), head)
    outcomes = rehearse(todo, head, candidates, plan, tools.gates, lambda t: sweep(bindings, t).read)
    findings = conclude(checked, change, {**fell, **outcomes})

    failures = (*swept.failures, *swept.unparsed, *swept_base.failures)
    sure = not failures and not any(text.partial for text in head.files.values())
    read = swept.paths | gated(gates)
    return Review(
        change=noted(change, swept_base.unparsed),
        skills=skills,
        scope=scope,
        incomplete=shortfalls(skills, head, base, read, failures, gates),
        gates=gates,
        findings=findings,
        rejections=(*rejections, *capped, *suppressed(gates)),
        checked=classes(scope, bindings.bound(swept.looked, sure), findings, rejections),
        uncovered=uncovered(scope, head, read),
    )
