"""The flagged arm as a script of its own, run with its flag as the last argument.

It is made of what plain.py lets through and of lines written here: which options are on, which
variables are known, what is left behind the loop. What cannot be reduced has no proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Proof, Sign
from reviewbot.detectors.argument_hole.arms import Hole
from reviewbot.detectors.argument_hole.arrival import arrival
from reviewbot.detectors.argument_hole.positional import Outcome, Script
from reviewbot.detectors.argument_hole.reduction import Reduced, reduced
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.reduced import EXPANSION, NAME, Unreducible, is_assignable, run_alone
from reviewbot.detectors.shell.tree import Node, Role

# A question for help may be answered in front of the loop.
_FLAG = pattern(r"(?!-h$|--help$|--version$)--?[A-Za-z0-9][A-Za-z0-9_-]{0,60}")
_READ = pattern(rf"\$\{{?\#?({NAME})")
_SET = pattern(rf"(?<![\w$\"'=-])({NAME})\+?=")
_TAKEN = pattern(rf"(?<![\w$\"'=-])({NAME})=(?:{EXPANSION}|\"{EXPANSION}\")(?=$| )")
_TESTS = pattern(r"\s*(?:while|until|case|if)\b|\[|\(\(|\btest\b")
_STOPS = (1, 2, 127)  # what bash and dash leave with at a mistake
_SECONDS = 1.0  # a loop of a few builtins is over in a millisecond, or never


def proof(script: Script, loop: Node, hole: Hole) -> Proof | None:
    """How to show what a hole does; None where that is not decided, or the loop, reduced to the arm,
    holds more than assignments, shifts and tests of words."""
    label = hole.arm.label
    if hole.outcome is Outcome.DEPENDS or not _FLAG.fullmatch(label) or not _is_known(script, loop, hole):
        return None
    if not (route := arrival(script.file, loop)):
        return None
    try:
        cut = reduced(script, loop, hole)
        before = [*_options(script, loop), *(f"{name}=" for name in _unset(cut.lines))]
        names = _names(cut, hole)
    except Unreducible:
        return None
    if script.disturbances.before(route, cut.lines):
        return None
    rows = [*before, *cut.lines, *map(_told, names), "printf 'reviewbot: end\\n'"]
    unharmed = Sign("goes on, and nothing is empty", _end(()), (0,))
    shows = _shows(hole.outcome, script.dash, len(before) + cut.fails_at, names)
    return run_alone(script.file, rows, shows, unharmed, label)._replace(seconds=_SECONDS)


def _is_known(script: Script, loop: Node, hole: Hole) -> bool:
    """Whether the shell is known, the loop is a statement of its own, and no trap speaks
    where the shell says nothing."""
    if not script.file.shell or script.disturbances.names_are_taken:
        return False
    last = len(script.file.text.content) if script.file.options.function_of(loop) else loop.start
    if hole.outcome is Outcome.SILENT and script.first_trap < last:
        return False
    return loop.role is Role.BODY and not loop.background


def _options(script: Script, loop: Node) -> Iterator[str]:
    if script.errexit(loop) is Setting.ON:
        yield "set -e"
    if script.nounset(loop) is Setting.ON:
        yield "set -u"


def _unset(lines: Sequence[str]) -> Iterator[str]:
    """The variables that are read before the loop sets them: the script may know them from before.
    Their values are not known here, so no test may ask for them: Unreducible."""
    known: set[str] = set()
    for row in lines:
        for name in _READ.findall(row):
            if name in known:
                continue
            if _TESTS.search(row) or not is_assignable(name):
                raise Unreducible
            known.add(name)
            yield name
        known.update(_SET.findall(row))


def _names(cut: Reduced, hole: Hole) -> list[str]:
    """The variables that the arm gives a word and nothing else. Where the hole is that they are empty,
    those that are; Unreducible if there are none."""
    taken = dict.fromkeys(name for row in cut.arm for name in _TAKEN.findall(row))
    if hole.outcome is not Outcome.EMPTY:
        return list(taken)
    if empty := [name for name in taken if name in hole.empty]:
        return empty
    raise Unreducible


def _told(name: str) -> str:
    return f"[ -n \"${{{name}:-}}\" ] || printf 'reviewbot: {name} is empty\\n'"


def _end(empty: Sequence[str]) -> str:
    """What is printed where the end of the script is reached, and nothing besides."""
    told = "".join(f"reviewbot: {name} is empty\n" for name in empty)
    return rf"\A{told}reviewbot: end\n?\Z"


def _shows(outcome: Outcome, dash: bool, line: int, names: Sequence[str]) -> Sign:
    match outcome:
        case Outcome.UNBOUND if dash:
            return Sign('stops with "parameter not set"', rf": {line}: \d+: parameter not set$", _STOPS)
        case Outcome.UNBOUND:
            return Sign('stops with "unbound variable"', rf": line {line}: \$?\d+: unbound variable$", _STOPS)
        case Outcome.ABORTED:
            return Sign('stops with "can\'t shift that many"', rf": {line}: shift: can't shift", _STOPS)
        case Outcome.SILENT:
            return Sign("ends with status 1 and no word", r"\A\Z", (1,))
        case Outcome.ENDLESS:
            return Sign(f"was still running after {_SECONDS:g} s", r"\A\Z", endless=True)
    what = ", ".join(f"`{name}`" for name in names)
    return Sign(f"goes on with {what} empty", _end(names), (0,))
