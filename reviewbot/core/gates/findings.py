"""What the gates say of a change, as candidates: one for each fault and file, with all of its places."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from reviewbot.core.gates.output import MAX_MESSAGE, Fault, beyond, faults
from reviewbot.core.gates.placeholders import placeholders
from reviewbot.core.gates.unplaced import telling
from reviewbot.core.patterns import pattern
from reviewbot.core.types import (
    Candidate,
    Claim,
    GateResult,
    GateRun,
    GateStatus,
    Grade,
    Origin,
    Rejection,
    Severity,
    Side,
    Site,
)

Occurrence = tuple[GateResult, Fault]

_HONEST = "the quotes protect the text on purpose where its author is right"
_ALONE = "only the whole tree can tell, and gates see the changed files alone"
NEVER = {
    "SC2016": f"SC2016: {_HONEST}",
    "SC2148": "SC2148: a file that others source needs no first line",
    **{c: f"{c}: {_ALONE}" for c in ("SC1091", "I001", "INP001", "TC001", "TC002", "EXE001", "EXE002")},
}
# A variable that a sourced file may set is "not assigned" only because that file is not there.
FROM_ELSEWHERE = "SC2154"
LINT_RANK = 1000  # behind every class of a skill: a linter has no place in the cost order
_SOURCES = pattern(r"(?:^|[;&|({]|\b(?:then|else|do)\b)[ \t]*(?:source|\.)[ \t]+\S", re.MULTILINE)
_SHELL_SYNTAX = pattern(r"SC1\d{3}")
_TESTS = 3  # that one finding names
_COSTS = {
    "py-compile": "Python stops before the first line of this file runs, and so does what imports it.",
    "bash-n": "The shell runs the script down to this place and stops: the steps after it never happen.",
}


def read_gates(results: Sequence[GateResult]) -> tuple[Candidate, ...]:
    """The candidates of gates that failed; those of codes that nobody wants to see are in `suppressed`."""
    return tuple(_candidate(group) for group in _groups(results) if not unwanted(*group[0]))


def suppressed(results: Sequence[GateResult]) -> tuple[Rejection, ...]:
    """What `read_gates` leaves out: SC2016, faults of the layout, and what a skill forbids to report."""
    return tuple(
        Rejection(_candidate(group), "suppressed", why)
        for group in _groups(results)
        if (why := unwanted(*group[0]))
    )


def _groups(results: Sequence[GateResult]) -> Iterator[list[Occurrence]]:
    """The places of each fault. Gates that say the same say it once; what a linter says of a file that does
    not parse belongs to the syntax error."""
    everything = [(result, fault) for result in results for fault in _of(result)]
    everything.sort(key=lambda o: not o[0].run.syntax)
    groups: dict[tuple[str, ...], list[Occurrence]] = {}
    broken: dict[str, list[Occurrence]] = {}
    for result, fault in everything:
        what = (result.run.tool, fault.path, fault.code, _title(result.run, fault))
        if fault.path in broken and _is_syntax(fault):
            broken[fault.path].append((result, fault))
            continue
        group = groups.setdefault(what, [])
        group.append((result, fault))
        if result.run.syntax:
            broken.setdefault(fault.path, group)
    yield from groups.values()


def _of(result: GateResult) -> tuple[Fault, ...]:
    found, run = faults(result), result.run
    on_base = run.executes and run.side is Side.LEFT
    # What fails without a place at head is old where `blame` says so, even if base's run named places.
    if result.status is GateStatus.FAILED and (result.blame == "preexisting" if on_base else not found):
        found = (*found, Fault("", 0, "", "error", f"`{_gate(run)}` {_ends(result)}", ""))
    elif result.told:
        found = (*found, Fault("", 0, "", "error", f"`{_gate(run)}` exits {result.exit}: {result.told}", ""))
    return found


def held(result: GateResult, fault: Fault) -> bool:
    """Whether a fault came again at a second attempt, if there was one. A failure without a place comes
    again with any other."""
    again = result.again
    if again is None:
        return True
    if again.status is not GateStatus.FAILED:
        return False
    return not fault.line or fault.place in {other.place for other in faults(again)}


def _once(result: GateResult) -> str:
    passed = result.again is not None and result.again.status is GateStatus.PASSED
    return f" A second run of the same tree {'passed' if passed else 'failed without this'}."


def _ends(result: GateResult) -> str:
    """How a gate failed, and what one that executes said last: the nearest to a reason that there is."""
    if result.exit is None:
        return f"cannot be started: {result.reason}"
    told = f": {result.told}" if result.told else ""
    said = telling(result.output)[:MAX_MESSAGE] if result.run.executes else ""
    return f"exits {result.exit}{told}" + (f", and said last: {said}" if said else "")


def _is_syntax(fault: Fault) -> bool:
    return fault.code == "invalid-syntax" or bool(_SHELL_SYNTAX.fullmatch(fault.code))


def unwanted(result: GateResult, fault: Fault) -> str:
    """Why a fault is never reported, or ""."""
    if result.run.executes:
        return ""  # it has seen the whole tree, and chose its own rules
    if fault.code in result.run.forbidden:
        return f"{fault.code}: a skill forbids to report it"
    if fault.code == FROM_ELSEWHERE:
        text = next(text for text in result.run.files if text.path == fault.path)
        if _SOURCES.search(text.content):
            return f"{fault.code}: a file that the script sources may set the variable"
    return NEVER.get(fault.code, "")


def _title(run: GateRun, fault: Fault) -> str:
    if run.executes:
        parts = [fault.code if fault.code != fault.message else "", fault.gist]
        return ": ".join(filter(None, parts)) if fault.line and any(parts) else f"`{_gate(run)}` fails"
    name = {"py-compile": "py_compile", "bash-n": f"{run.argv[0]} -n"}.get(run.tool, run.tool)
    where = "" if fault.line or not fault.path else f"{fault.path}: "
    return f"{name} {fault.code}".rstrip() + f": {where}{fault.gist}"


def _gate(run: GateRun) -> str:
    return " ".join(run.spec.argv)  # the line without its comment


def _started(run: GateRun, fault: Fault) -> str:
    """The gate as somebody can start it: a placeholder is the file with the fault."""
    if not fault.path or not placeholders(run.spec.argv):
        return _gate(run)
    files = len(run.files) if not run.executes else 0
    words = (*run.argv[: len(run.argv) - files], fault.path) if files else run.argv
    return shlex.join(words)


def _candidate(group: Sequence[Occurrence]) -> Candidate:
    result, fault = group[0]
    run = result.run
    site, *also = dict.fromkeys(_site(run, f) for _, f in group)
    sides = f"`{_started(run, fault)}` exited {result.exit} and said of {fault.path}: {fault.message}"
    said = sides if fault.path else fault.message
    claims = [Claim("run", said, site.path, run.spec.line, site.line)]
    sure = any(held(*occurrence) for occurrence in group)
    if fault.line:
        quote = f"`{site.quote.strip()[:MAX_MESSAGE]}` stands at {site.path}:{site.line}"
        claims.append(Claim("quote", quote, site.path, site.quote, site.line))
    return Candidate(
        skill=run.skill,
        slug=f"gate-{run.tool}",
        rank=0 if run.syntax or run.executes else LINT_RANK,
        title=_title(run, fault),
        severity=_severity(result, fault),
        origin=Origin.GATE,
        grade=Grade.PROVEN if sure else Grade.HINT,
        site=site,
        failure=_failure(group) + ("" if sure else _once(result)),
        cost=_COSTS.get(run.tool, "The gate stays red, and hides whatever fails it next."),
        fix=_fix(run, fault) if sure else f"Find out why `{_gate(run)}` fails at one run and not at another.",
        also=tuple(also),
        claims=tuple(claims),
    )


def _failure(group: Sequence[Occurrence]) -> str:
    """What fails, as a sentence: the gates that fail by it, the tests where they are named, what was said."""
    fault = group[0][1]
    if not fault.path:
        return f"The gate {fault.message.rstrip('.')}."
    own = [result.run for result, _ in group if result.run.tool == group[0][0].run.tool]  # no folded linter
    *most, last = dict.fromkeys(f"`{_started(run, fault)}`" for run in own)
    gates = f"The gates {', '.join(most)} and {last} fail" if most else f"The gate {last} fails"
    tests = dict.fromkeys(f.test for _, f in group if f.test)
    named = f" ({', '.join(list(tests)[:_TESTS])})" if tests else ""
    return f"{gates} {'here' if fault.line else 'on head'}{named}: {fault.message.rstrip('.')}."


def _site(run: GateRun, fault: Fault) -> Site:
    """Where the tool names no line, the gate's own line in the skill stands for it."""
    if not fault.line:
        return Site(run.skill_path, run.spec.at, run.spec.at, run.spec.line, run.side)
    return Site(fault.path, fault.line, fault.line, fault.quote, run.side)


def _severity(result: GateResult, fault: Fault) -> Severity:
    run = result.run
    if run.syntax:
        return Severity.BLOCKER
    if run.executes and result.blame == "new" and not _loud(result):
        return Severity.WARNING  # it was green before: whatever it calls its reason, it is none to pass over
    style = fault.level == "note" or run.tool == "ruff"  # of another version than the repository's own
    return Severity.NOTE if style else Severity.WARNING


def _fix(run: GateRun, fault: Fault) -> str:
    if run.tool == "shellcheck" and fault.code:
        return f"`https://www.shellcheck.net/wiki/{fault.code}` explains the fault and its remedies."
    if run.tool == "ruff" and fault.code[-1:].isdigit():
        return f"`ruff rule {fault.code}` explains the rule."
    if not fault.line and run.executes:
        return f"Make `{_gate(run)}` pass again (the line quoted is the gate's own, in the skill)."
    return f"Correct it until `{_started(run, fault)}` passes."


def _loud(result: GateResult) -> bool:
    """Whether a fault that base has not is more than a note."""
    new = beyond(result, result.base) if result.base else faults(result)
    return any(fault.level != "note" for fault in new)
