"""`bash -n a.sh b.sh` parses a.sh; b.sh is an argument of it. A gate for many files that reads one.

Executed with bash and dash: a broken second file leaves the status 0, behind `xargs` and
`find -exec … +` too. `find -exec … \\;` reads all files, and ends with 0 whatever they hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Edit, Grade
from reviewbot.detectors.contract import Detector, Hit, Word
from reviewbot.detectors.first_file_only.examples import BAD, GOOD
from reviewbot.detectors.first_file_only.invocations import Check, How, checks
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Role
from reviewbot.detectors.shell.wayout import way_out

_GUARD = pattern(r"[ \t]*\|\|[ \t]*((?:exit|return)(?:[ \t]+\d+)?)$")
_LOOP = "script"  # the variable of the loop that is offered
_TAKEN = pattern(rf"\b{_LOOP}=|\$\{{?{_LOOP}\b|\b(?:for|read)\b[^\n]{{0,200}}?\b{_LOOP}\b")
_COST = "A script that does not parse passes the gate, and fails where it is used."


def find(file: ShellFile) -> Iterator[Hit]:
    taken = _TAKEN.search(file.text.content) is not None
    for check in checks(file):
        yield Hit(
            check.command.line,
            check.command.last_line,
            failure=_failure(check),
            cost=_COST,
            fix=_fix(check),
            grade=check.grade,
            edit=_edit(file, check, taken),
        )


def _failure(check: Check) -> str:
    if check.how is How.EXEC_EACH:
        return (
            "Every file is read, but `find` does not pass on how `-exec … \\;` ended: its status is 0, "
            "and nothing fails."
        )
    many = "" if check.how is How.OPERANDS else f"`{check.how.value}` hands over many names at once, and "
    return (
        f"{many}`{check.shell} -n` reads one file, its first operand; the others are arguments of that "
        "script. A syntax error in any of them leaves the status 0."
    )


def _fix(check: Check) -> str:
    match check.how:
        case How.XARGS:
            return f"`xargs -n1 {check.shell} -n`: one process for each file, and status 123 if one fails."
        case How.EXEC_MANY | How.EXEC_EACH:
            return (
                f"`find … -print0 | xargs -0 -n1 {check.shell} -n`: one process for each file, "
                "and a status that is not 0 if one fails."
            )
    return f'One process for each file: `for f in …; do {check.shell} -n "$f" || exit 1; done`.'


def _edit(file: ShellFile, check: Check, taken: bool) -> Edit | None:
    """A loop, or `-n1`, where the check has its line for itself and something depends on its status.

    `taken`: the script uses the variable of the loop for something else.
    """
    command = check.command
    if command.line != command.last_line or check.grade is not Grade.STRONG:
        return None
    row = file.text.lines[command.line - 1]
    if check.how is How.XARGS:
        if not check.plain:
            return None
        before, program, behind = row.partition(command.text)
        place = re.search(r"(?<![\w./-])xargs\b", program)
        if place is None or command.text in behind:
            return None
        at = len(before) + place.end()
        return Edit(command.line, command.line, f"{row[:at]} -n1{row[at:]}")
    before, written, behind = row.partition(command.text)
    if check.how is not How.OPERANDS or before.strip() or not written:
        return None
    if taken:
        return None
    guard = _GUARD.fullmatch(behind)
    if guard:
        leave = guard[1]
    elif behind or command.role is not Role.BODY or not _decides(file, check):
        return None
    else:
        leave = way_out(file, command, None)
    if not leave:
        return None
    program, names = " ".join(check.program), " ".join(check.operands)
    return Edit(
        command.line,
        command.line,
        f'{before}for {_LOOP} in {names}; do {program} "${_LOOP}" || {leave}; done',
    )


def _decides(file: ShellFile, check: Check) -> bool:
    """Whether a failure here ends the script already: by errexit, or as its last command."""
    on = file.options.errexit_at(check.command) is Setting.ON
    return on or file.tree.last_statement is check.command


DETECTOR = Detector(
    id="first-file-only",
    summary="a gate that is given many files and reads only the first: `bash -n a.sh b.sh`",
    finders={"shell": find},
    words=(
        Word(r"only (?:checks? |reads? |sees? |parses? )?(?:its |the )?first (?:file|argument|operand)", 2),
        Word(r"first[- ]file[- ]only|(?:checks?|reads?|parses?) (?:only )?one file", 2),
        Word(
            r"\b(?:step|check|gate|test|job|stage|build|pipeline|lint\w*)s?\b (?:that|which) "
            r"(?:can ?not|can never|can't|never|do(?:es)? not) fail",
            2,
        ),
        Word(r"false(?:ly)?[- ]green|always[- ]green|always (?:green|pass)|vacuous", 2),
        Word(r"\b(?:bash|sh) -n\b[^.]{0,30}(?:\*|files|\.sh\W+\S+\.sh)", 2),
        Word(r"\b(?:bash|sh) -n\b", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={"shell": ("sh -n", "sh -vn", "sh -xn", "sh -nv", "sh -nx", "noexec")},
)
