"""The table of contents: how a change becomes a Review."""

from __future__ import annotations

from functools import partial

from reviewbot.core import guidance, ledger, rulebook, verify
from reviewbot.core.gates import config_paths, suppressed
from reviewbot.core.prove import prove
from reviewbot.core.reader import Ground
from reviewbot.core.rehearse import rehearse
from reviewbot.core.scope import assign, claims, needs_first_line
from reviewbot.core.tools import Tools
from reviewbot.core.types import Review, Side, Skills
from reviewbot.detectors.look import look
from reviewbot.detectors.sweep import resweep


def review(skills: Skills, tools: Tools) -> Review:
    """Review one change. Raises UsageError where the change cannot be read at all."""
    tools.progress("change")
    change = tools.source.change(claims(skills))
    read = partial(tools.source.read, change)
    scope = assign(change, skills, read(Side.RIGHT, needs_first_line(change, skills)).first_lines())
    named = (*config_paths(scope.paths), *guidance.places(scope.paths))
    files = tools.source.base_files(named, guidance.FOLDERS)
    told = guidance.read(files, scope.paths)
    seen = look(change, scope, files, read, tools)

    edited = {side: read(side, rulebook.edited_rules(change)) for side in Side}
    claimed = (*seen.candidates, *rulebook.read_edits(change, edited))
    checked, rejections = verify.check(claimed, rulebook.quotable(seen.head, edited, seen.gates))
    checked, capped = verify.digest(verify.compare(checked, seen.had, change), whole=change.whole)
    checked, disproved = prove(checked, seen.head, tools.gates)

    ground = Ground(change, scope, seen.head, seen.base, checked, told)
    reading = tools.reader.argue(ground, tools.reader.find(ground))
    new, again = verify.new(reading.checked), partial(resweep, seen.bindings)
    tools.progress("suggestions")
    tried = rehearse(new, seen.head, seen.candidates, seen.plan, tools.gates, again)
    findings = verify.conclude(reading.checked, change, tried, reading.inline)

    looked, faults = seen.paths | reading.paths, (*seen.faults, *reading.problems)
    rejections = [*rejections, *capped, *disproved, *reading.rejections, *suppressed(seen.gates)]
    return Review(
        change=ledger.noted(change, seen.foreign, seen.unparsed),
        skills=skills,
        scope=scope,
        incomplete=ledger.shortfalls(skills, seen.head, seen.base, looked, faults, seen.gates),
        gates=seen.gates,
        findings=findings,
        rejections=tuple(rejections),
        checked=ledger.classes(scope, seen.bound, reading.looked, findings, rejections),
        uncovered=ledger.uncovered(scope, seen.head, looked),
        guidance=told,
        usage=reading.usage,
        reader=reading.notes,
    )
