"""`--flag) V="$2"; shift 2` without a look at `$#`: what happens if the flag is the last argument.

Four outcomes, and none of them names the flag. All 203 arms that were executed while measuring
behaved as predicted; which outcome a script has depends on its `set -e`, its `set -u` and its shell.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Claim, Grade
from reviewbot.detectors.argument_hole.arms import Hole, holes
from reviewbot.detectors.argument_hole.examples import BAD, GOOD
from reviewbot.detectors.argument_hole.looks import Looks
from reviewbot.detectors.argument_hole.positional import Outcome, Script
from reviewbot.detectors.argument_hole.proof import proof
from reviewbot.detectors.contract import Detector, Hit, Word
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.facts import Facts
from reviewbot.detectors.shell.insert import insert_before
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node
from reviewbot.detectors.shell.wayout import ends_script, way_out

_ENOUGH = pattern(r"-ge\s+\"?[2-9]|-gt\s+\"?[1-9]|>=\s*[2-9]|>\s*[1-9]|\$\{?[2-9]")
_GETOPT = pattern(r"\bgetopt\b")
_SET = pattern(r"\bset\s+--\s")
_OTHERWISE = pattern(r"\$#\s*%\s*2|^OPTIONS_SPEC=|--parseopt", re.M)
_ALL_WORDS = pattern(r"\$\{?[@*]")
_FLAG = pattern(r"--?[\w-]+")
# What decides between the outcomes; under dash nothing does, and an empty value may be one of `${2:-}`.
_DECIDING = {
    Outcome.UNBOUND: ("nounset",),
    Outcome.SILENT: ("errexit",),
    Outcome.ENDLESS: ("errexit",),
    Outcome.DEPENDS: ("errexit", "nounset"),
}
_MAX_QUOTE = 8  # lines of the first arm

_LOST = "The run is lost, and the message does not say which flag was at fault."
_COSTS = {
    Outcome.UNBOUND: _LOST,
    Outcome.ABORTED: _LOST,
    Outcome.SILENT: "The job dies at its start, and the command line is bisected by hand.",
    Outcome.ENDLESS: "The command hangs until somebody kills it.",
    Outcome.DEPENDS: "At best the run is lost; at worst the command hangs until somebody kills it.",
    Outcome.EMPTY: "The run goes on, for hours, with an empty value that nobody asked for.",
}


def find(file: ShellFile) -> Iterator[Hit]:
    yield from _Parsers(file).hits()


class _Parsers:
    """The loops of one script that parse arguments."""

    def __init__(self, file: ShellFile) -> None:
        self.file = file
        self.script = Script(file)
        self.content = file.text.content
        self._facts = Facts(file)

    def hits(self) -> Iterator[Hit]:
        normalised = _normalised(self.content)
        for loop in self.file.nodes:
            if loop.kind != "while_statement" or not self.script.shifts_in(loop) or loop.start > normalised:
                continue
            body = next((c for c in loop.children if c.kind == "do_group"), loop)
            if _ENOUGH.search(self.content, loop.start, body.start):
                continue
            found = [hole for hole in holes(self.script, loop) if not self._is_caught(hole, loop)]
            if found:
                yield self._hit(loop, sorted(found, key=lambda hole: hole.arm.head.start))

    @cached_property
    def _looks(self) -> Looks:
        return Looks(self.file)

    def _is_caught(self, hole: Hole, loop: Node) -> bool:
        """Whether the script looks elsewhere at each variable that may have been left empty."""
        return hole.outcome is Outcome.EMPTY and all(self._looks.at(name, loop) for name in hole.empty)

    @cached_property
    def _fed(self) -> set[Node]:
        """The functions that the script's own arguments reach: `parse "$@"`, maybe by way of `main "$@"`."""
        callees: dict[Node | None, list[Node]] = defaultdict(list)
        for name, calls in self.file.options.calls.items():
            for call in calls:
                if _ALL_WORDS.search(" ".join(call.words[1:])):
                    callees[self.file.options.function_of(call)].append(self.file.functions[name])
        fed: set[Node] = set()
        waiting = callees[None]
        while waiting:
            function = waiting.pop()
            if function not in fed:
                fed.add(function)
                waiting += callees[function]
        return fed

    def _hit(self, loop: Node, found: Sequence[Hole]) -> Hit:
        first, function = found[0], self.file.options.function_of(loop)
        from_user = function is None or function in self._fed
        (start, end), *also = [_lines(hole) for hole in found]
        others = list(dict.fromkeys(f"`{h.arm.label}`" for h in found if h.arm.label != first.arm.label))
        leaves = ends_script(self.file, loop) if from_user else way_out(self.file, loop, None) == "return 1"
        grade = Grade.STRONG if from_user and not self.file.partial else Grade.HINT
        more = f" The same hole: {', '.join(others[:6])}{' …' if others[6:] else ''}." if others else ""
        what = _failure(first, self.script.dash)
        callers = f" Its arguments come from the callers of `{function.name}`." if function else ""
        return Hit(
            start,
            end,
            failure=f"`{first.arm.label}` as the last argument: {what}.{more}{'' if from_user else callers}",
            cost=_COSTS[first.outcome],
            fix=_fix(first, from_user, bool(also), leaves),
            grade=grade,
            also=tuple(also),
            # In every arm or in none: one left out, and the finding would still stand.
            edit=insert_before(self.file, {h.arm.statements[0]: _guard(h, from_user) for h in found})
            if leaves
            else None,
            claims=tuple(self._claims(first)),
            proof=proof(self.script, loop, first) if grade is Grade.STRONG else None,
        )

    def _claims(self, hole: Hole) -> Iterator[Claim]:
        """What decides between the outcomes: the options at the statement that fails."""
        yield from self._facts.options(hole.last, *_DECIDING.get(hole.outcome, ()))
        if hole.outcome is Outcome.EMPTY and self.script.nounset(hole.last) is not Setting.ON:
            yield from self._facts.options(hole.last, "nounset")


def _normalised(content: str) -> int:
    """From where on every flag has its value: `getopt` and `set --`, git's parseopt, a test of `$# % 2`."""
    getopt = _GETOPT.search(content)
    places = [getopt and _SET.search(content, getopt.end()), _OTHERWISE.search(content)]
    return min((place.end() for place in places if place), default=len(content))


def _lines(hole: Hole) -> tuple[int, int]:
    """The arm from its pattern to where it fails; a shift behind the `case` is none of its lines."""
    start = hole.arm.head.line
    last = min(hole.last.last_line, hole.arm.statements[-1].last_line, start + _MAX_QUOTE - 1)
    return start, max(start, last)


def _failure(hole: Hole, dash: bool) -> str:
    shifts = [n for s in hole.arm.statements for n in (s, *s.inside()) if n.name == "shift"]
    shift = f"`{' '.join(shifts[-1].words)}`" if shifts else "`shift`"
    match hole.outcome:
        case Outcome.UNBOUND:
            message = "parameter not set" if dash else "unbound variable"
            return f'the shell stops at line {hole.last.line} with "{message}", which names no flag'
        case Outcome.ABORTED:
            return f'{shift} stops the script with "can\'t shift that many" (dash), which names no flag'
        case Outcome.SILENT:
            return f"{shift} fails, `set -e` ends the script with status 1, and no message names the flag"
        case Outcome.ENDLESS:
            return f"the loop never ends: {shift} fails, shifts nothing, and the same argument comes again"
        case Outcome.EMPTY:
            what = ", ".join(f"`{name}`" for name in hole.empty) or "the value"
            return f"{what} is left empty, the loop ends without a word and the script goes on"
    return (
        f'{shift} finds no value. Under `set -u` that is "unbound variable", under `set -e` an end '
        "without a word, else a loop that never ends; what is in force is not decided in this text"
    )


def _fix(hole: Hole, from_user: bool, several: bool, leaves: bool) -> str:
    branch = "case branch" if hole.arm.head.kind == "case_item" else "branch"
    fix = f"`{_guard(hole, from_user)}` as the first command of {'each such' if several else 'the'} {branch}."
    if leaves:
        return fix
    if from_user:
        return f"{fix} Test the status of what surrounds the loop too: `exit` leaves only `$(…)` or `( … )`."
    return f"{fix} Each caller must stop too: as they stand, the script goes on when the function fails."


def _guard(hole: Hole, from_user: bool) -> str:
    """The command that refuses a flag without its value. A flag that is shifted off is named by its arm."""
    flag = (
        "$1" if not hole.shifted else hole.arm.label if _FLAG.fullmatch(hole.arm.label) else "the last flag"
    )
    leave = "exit" if from_user else "return"
    return f'[ "$#" -ge {hole.needed} ] || {{ echo "missing value for {flag}" >&2; {leave} 2; }}'


DETECTOR = Detector(
    id="argument-hole",
    summary="a flag that is the last argument: unbound variable, silent exit, endless loop, or empty value",
    finders={"shell": find},
    words=(
        Word(r"argument[ -]holes?", 2),
        Word(r"\$\{?2\b\S*\s*shift 2|flag\W+(?:is|as) the last", 2),
        Word(
            r"(?:flag|option)s? without (?:its|an?) (?:value|argument)|missing (?:value|argument)",
            2,
        ),
        Word(r"unbound variable|`?set -u`?", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={"shell": ("shift",)},
    whole=False,
)
