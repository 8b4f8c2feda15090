"""Shell: a phase is measured by its output, or called a success, and nobody looks if there is any."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.shell.dataflow import Dataflow
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.expensive import is_expensive
from reviewbot.detectors.shell.facts import Facts, label
from reviewbot.detectors.shell.flow import Flow
from reviewbot.detectors.shell.guard import whole_command
from reviewbot.detectors.shell.script import ShellFile, innermost, variables_read
from reviewbot.detectors.shell.tree import SUBSTITUTIONS, Node, Role, Status
from reviewbot.detectors.unchecked_artifact.copies import find_copies
from reviewbot.detectors.unchecked_artifact.dumps import dumped_to

_MEASURES = ("stat", "du", "wc", "sha256sum", "md5sum", "b2sum")
_LOOKS = ("ls", "stat", "du", "find", "head", "jq", "test", "[", "compgen")
_RETURN_CODE = pattern(
    r"\$\?|\$\{?(?:\w*_)?(?:rc|ret|retval|status|exit_?code|code)\}?[\"']?\s*(?:-eq|==?)\s*[\"']?0", re.I
)
_TO_FILE = pattern(
    r"--?(?:o|out|output|out-?file|output-(?:file|dir|path)|save-(?:dir|path|to)|export-(?:dir|path))(?:=(.*))?",
    re.I,
)
_SUCCESS = pattern(r"\b(?:success\w*|done|complete[d]?|finished|saved|written|exported|converted)\b|✅", re.I)
_FAILS = pattern(r"\b(?:not|no|fail\w*|error|if|when|once)\b", re.I)
_SOME = 500  # characters of a condition that are read
_NEAR = 2  # statements in which success is announced


def find_shell(file: ShellFile) -> Iterator[Hit]:
    dataflow = Dataflow(file)
    phases = [node for node in file.commands if is_expensive(node, dataflow.bare(node))]
    dumps = [node for node in file.commands if dumped_to(file, node)]
    if phases or dumps:
        results = _Results(file, dataflow)
        announced = results.announced([*phases, *dumps])
        found = (*results.measured(phases), *announced, *find_copies(file, phases))
        yield from sorted(found, key=lambda hit: hit.start_line)


class _Results:
    def __init__(self, file: ShellFile, dataflow: Dataflow) -> None:
        self._file = file
        self._facts = Facts(file)
        self._dataflow = dataflow
        self._measures = [node for node in file.commands if node.name in _MEASURES]
        self._looked_at: set[str] = set()  # names and paths that a test or a listing asks for
        for node in file.nodes:
            if node.kind == "test_command":
                self._looked_at |= variables_read(node.text)
            elif node.kind == "command" and node.name in _LOOKS and node not in self._measures:
                self._looked_at |= dataflow.variables(node) | dataflow.made(node)

    def measured(self, phases: list[Node]) -> Iterator[Hit]:
        """`size=$(( $(stat -c %s "$OUT") / 1024 ))` of an output that may not be there."""
        flow = Flow(self._file, self._measures)
        said: set[Node] = set()
        for phase in phases if self._measures else ():
            for place, node in flow.following(phase):
                if place is not node or node in said or not self._relied_on(node):
                    continue
                names = self._dataflow.shared(node, phase, phase)
                if names and not self._looked_at & set(names):
                    said.add(node)
                    yield _measured(self._facts, node, phase, names[0])

    def _relied_on(self, node: Node) -> bool:
        """Whether the size goes into arithmetic, or is taken because a status was 0."""
        around = [node, *node.ancestors()]
        if any(n.kind == "command_substitution" and _in_arithmetic(n) for n in around):
            return True
        outer = [n.parent for n in around if n.kind in SUBSTITUTIONS and n.parent]
        if self._file.options.errexit_at(outer[-1] if outer else node) is Setting.ON:
            return False
        branches = (n for n in around if n.kind == "if_statement")
        asked = (c for n in branches for c in n.children if c.role is Role.CONDITION)
        return any(_RETURN_CODE.search(self._text(c)) for c in asked)

    def announced(self, phases: list[Node]) -> Iterator[Hit]:
        """`convert … --out "$OUT"`, and on the next line `echo "converted"`, whatever became of it."""
        flow = Flow(self._file, phases)
        for phase in phases:
            whole = whole_command(phase)
            stops = self._file.options.errexit_at(whole)
            if whole.status not in (Status.LOST, Status.RESULT) or stops is not Setting.OFF:
                continue
            output = _output(phase) or dumped_to(self._file, phase)
            if not output or self._looked_at & (variables_read(output) or {output}):
                continue
            for statement in flow.statements_after(phase, _NEAR):
                if _announces(self._text(statement), innermost(statement)):
                    yield _announced(self._facts, innermost(statement), phase, output)
                    break

    def _text(self, node: Node) -> str:
        return self._file.text.content[node.start : min(node.end, node.start + _SOME)]


def _in_arithmetic(substitution: Node) -> bool:
    return any(node.kind() == "arithmetic_expansion" for node in substitution.source.ancestors())


def _output(phase: Node) -> str:
    """What stands behind `-o`, `--output` or their like."""
    words = phase.words
    for at, word in enumerate(words):
        if found := _TO_FILE.fullmatch(word):
            return found[1] or (words[at + 1] if at + 1 < len(words) else "")
    return ""


def _announces(text: str, statement: Node) -> bool:
    if statement.name == "exit":
        return statement.words[1:] == ("0",)
    return (
        statement.name in ("echo", "printf", "log")
        and bool(_SUCCESS.search(text))
        and not _FAILS.search(text)
    )


def _measured(facts: Facts, node: Node, phase: Node, name: str) -> Hit:
    return Hit(
        node.line,
        whole_command(node).last_line,
        failure=f"`{label(node.words)}` takes for granted that `{label(phase.words)}` (line {phase.line}) "
        f"has written `{name}`: no line tests that it is there. Without it the number is empty, or that "
        "of an earlier run.",
        cost="A run that wrote nothing is filed as a finished one, with a size of something else.",
        fix=f"`[ -s {_tested(name)} ] || exit 1` behind the command, before anything reads it.",
        grade=Grade.HINT,
        claims=(facts.quote(f"Line {phase.line} should have written it.", phase.line),),
    )


def _announced(facts: Facts, node: Node, phase: Node, output: str) -> Hit:
    output = output.replace("`", "'")
    return Hit(
        node.line,
        node.last_line,
        failure=f"Success is reported whatever became of `{label(phase.words)}` at line {phase.line}: "
        f"nothing reads its status, errexit is off, and no line tests that {output} is there.",
        cost="A run that wrote nothing looks like a finished one until somebody needs its result.",
        fix=f"`|| exit 1` at the command, and `[ -s {output} ] || exit 1` behind it.",
        grade=Grade.HINT,
        claims=(
            *facts.options(phase, "errexit"),
            facts.quote(f"Line {phase.line} should have written it.", phase.line),
        ),
    )


def _tested(name: str) -> str:
    return f'"${name}"' if re.fullmatch(r"\w+", name) else name
