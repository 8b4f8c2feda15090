"""`--flag) V="$2"; shift 2` without a look at `$#`: what happens if the flag is the last word.

Four outcomes, and none of them names the flag. All 203 arms that were executed while measuring
behaved as predicted; which outcome a script has depends on its `set -e`, its `set -u` and its shell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reviewbot.core.types import Claim, Grade
from reviewbot.detectors.argument_arms import Hole, holes
from reviewbot.detectors.argument_hole_examples import BAD, GOOD
from reviewbot.detectors.contract import Detector, Hit, Word
from reviewbot.detectors.positional import Outcome, Script
from reviewbot.detectors.shell import ShellFile
from reviewbot.detectors.shell_insert import insert_before
from reviewbot.detectors.shell_tree import Node

_ENOUGH = re.compile(r"-ge\s+\"?[2-9]|-gt\s+\"?[1-9]|>=\s*[2-9]|>\s*[1-9]|\$\{?[2-9]")
_GETOPT = re.compile(r"\bgetopt\b")
_SET = re.compile(r"\bset\s+--\s")
_OTHERWISE = re.compile(r"\$#\s*%\s*2|^OPTIONS_SPEC=|--parseopt", re.M)
_TESTED = re.compile(r"(?:\s-[a-z]\s+\"?|\[\[?\s+\"?|\bx)\$\{?(\w+)|\$\{(\w+):?\?")
_ERREXIT = r"^#!.*\s-\w*e|^\s*set\s+(-\w+\s+)*-(\w*e|o\s+errexit)|^#!.*\s-o\s+errexit"
_NOUNSET = r"^#!.*\s-\w*u|^\s*set\s+(-\w+\s+)*-(\w*u|o\s+nounset)"
_FLAG = re.compile(r"--?[\w-]+")
_BY_NOUNSET = (Outcome.UNBOUND, Outcome.EMPTY)
_MAX_QUOTE = 8  # lines of the first arm

_LOST = "The run is lost, and the message does not say which flag was at fault."
_COSTS = {
    Outcome.UNBOUND: _LOST,
    Outcome.ABORTED: _LOST,
    Outcome.SILENT: "The job dies at its start with an empty log; the command line is bisected by hand.",
    Outcome.ENDLESS: "The job holds its node or its GPUs until the time limit and does nothing.",
    Outcome.DEPENDS: "At best the run is lost; at worst the job holds its node until the time limit.",
    Outcome.EMPTY: "The run goes on, for hours, with an empty value that nobody asked for.",
}


def find(file: ShellFile) -> Iterator[Hit]:
    script = Script(file)
    content = file.text.content
    tested = {next(filter(None, m.groups())): m.start() for m in _TESTED.finditer(content)}
    normalised = _normalised(content)
    for loop in file.nodes:
        if loop.kind != "while_statement" or not script.shifts_in(loop) or loop.start > normalised:
            continue
        condition = content[
            loop.start : next((c.start for c in loop.children if c.kind == "do_group"), loop.end)
        ]
        if _ENOUGH.search(condition):
            continue
        found = [h for h in holes(script, loop) if not _caught(h, loop, tested)]
        if found:
            yield _hit(script, loop, sorted(found, key=lambda h: h.arm.head.start))


def _normalised(content: str) -> int:
    """From where on every flag has its value: `getopt` and `set --`, git's parseopt, a test of `$# % 2`."""
    getopt = _GETOPT.search(content)
    places = [getopt and _SET.search(content, getopt.end()), _OTHERWISE.search(content)]
    return min((place.end() for place in places if place), default=len(content))


def _caught(hole: Hole, loop: Node, tested: dict[str, int]) -> bool:
    """Whether the script looks behind the loop at each variable that may have been left empty."""
    if hole.outcome is not Outcome.EMPTY:
        return False
    return bool(hole.empty) and all(tested.get(name, 0) > loop.end for name in hole.empty)


def _hit(script: Script, loop: Node, found: Sequence[Hole]) -> Hit:
    file, first = script.file, found[0]
    function = file.options.function_of(loop)
    from_user = function is None or _gets_all_words(file, function)
    (start, end), *also = [_lines(hole) for hole in found]
    others = list(dict.fromkeys(f"`{h.arm.label}`" for h in found if h.arm.label != first.arm.label))
    more = f" The same hole: {', '.join(others[:6])}{' …' if others[6:] else ''}." if others else ""
    where = "" if from_user or not function else f" Its words come from the callers of `{function.name}`."
    return Hit(
        start,
        end,
        failure=f"`{first.arm.label}` as the last word: {_failure(file, first)}.{more}{where}",
        cost=_COSTS[first.outcome],
        fix=f"`{_guard(first, from_user)}` as the first command of {'each such' if also else 'the'} arm.",
        grade=Grade.STRONG if from_user and not file.partial else Grade.HINT,
        also=tuple(also),
        # In every arm or in none: one left out, and the finding would still stand.
        edit=insert_before(file, {hole.arm.statements[0]: _guard(hole, from_user) for hole in found}),
        claims=_claims(file, first),
    )


def _lines(hole: Hole) -> tuple[int, int]:
    """The arm from its pattern to where it fails; a shift behind the `case` is none of its lines."""
    start = hole.arm.head.line
    last = min(hole.last.last_line, hole.arm.statements[-1].last_line, start + _MAX_QUOTE - 1)
    return start, max(start, last)


def _gets_all_words(file: ShellFile, function: Node) -> bool:
    """Whether the script's own arguments reach a function: `parse "$@"`, maybe by way of `main "$@"`."""
    seen: set[Node] = set()
    waiting = [function]
    while waiting:
        callee = waiting.pop()
        seen.add(callee)
        for call in file.options.calls.get(callee.name, ()):
            if not any("$@" in word or "$*" in word or "${@" in word for word in call.words[1:]):
                continue
            caller = file.options.function_of(call)
            if caller is None:
                return True
            if caller not in seen:
                waiting.append(caller)
    return False


def _failure(file: ShellFile, hole: Hole) -> str:
    shifts = [n for s in hole.arm.statements for n in (s, *s.inside()) if n.name == "shift"]
    shift = f"`{' '.join(shifts[-1].words)}`" if shifts else "`shift`"
    match hole.outcome:
        case Outcome.UNBOUND:
            return f'the shell stops at line {hole.last.line} with "unbound variable", which names no flag'
        case Outcome.ABORTED:
            return f'{shift} stops the script with "can\'t shift that many" (dash), which names no flag'
        case Outcome.SILENT:
            return f"{shift} fails, `set -e` ends the script with status 1, and nothing is printed"
        case Outcome.ENDLESS:
            return f"the loop never ends: {shift} fails, shifts nothing, and the same word is parsed again"
        case Outcome.EMPTY:
            what = ", ".join(f"`{name}`" for name in hole.empty) or "the value"
            return f"{what} is left empty, nothing complains and the script goes on"
    return (
        f'{shift} finds no value. Under `set -u` that is "unbound variable", under `set -e` a silent end, '
        "else a loop that never ends; what is in force is not decided in this text"
    )


def _claims(file: ShellFile, hole: Hole) -> tuple[Claim, ...]:
    """What decides between the outcomes: the line with the option, or that there is none."""
    if file.partial:
        return ()
    name, pattern = ("set -u", _NOUNSET) if hole.outcome in _BY_NOUNSET else ("set -e", _ERREXIT)
    lines = [i for i, line in enumerate(file.text.lines, 1) if re.search(pattern, line)]
    if lines and hole.outcome in (Outcome.UNBOUND, Outcome.SILENT):
        line = file.text.lines[lines[0] - 1].strip()
        return (Claim("quote", f"line {lines[0]} sets `{name}`", file.path, line, lines[0]),)
    if not lines and hole.outcome in (Outcome.ENDLESS, Outcome.EMPTY):
        return (Claim("absent", f"no line of the file sets `{name}`", file.path, pattern),)
    return ()


def _guard(hole: Hole, from_user: bool) -> str:
    """The command that refuses a flag without its value. A flag that is shifted off is named by its arm."""
    flag = (
        "$1" if not hole.shifted else hole.arm.label if _FLAG.fullmatch(hole.arm.label) else "the last flag"
    )
    leave = "exit" if from_user else "return"
    return f'[ "$#" -ge {hole.needed} ] || {{ echo "missing value for {flag}" >&2; {leave} 2; }}'


DETECTOR = Detector(
    id="argument-hole",
    summary="a flag that is the last word: unbound variable, silent exit, endless loop, or empty value",
    finders={"shell": find},
    words=(
        Word(r"argument[ -]holes?", 2),
        Word(r"\$\{?2\b\S*\s*shift 2|flag\W+(?:is|as) the last|missing (?:flag )?values?", 2),
        Word(r"unbound variable|`?set -u`?", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={"shell": ("shift",)},
    whole=False,
    complete=True,
)
