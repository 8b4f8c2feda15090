"""A precondition that is tested behind the expensive phase, though it needs none of its results.

On public launchers two of nine hits of the plain rule were right. The seven others were variables
made from the launch's answer, branches that exclude each other, and cheap probes: all are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from reviewbot.core.patterns import pattern
from reviewbot.detectors.contract import Detector, Hit, Word
from reviewbot.detectors.late_gate.examples import BAD, GOOD
from reviewbot.detectors.late_gate.gates import Gate, gates
from reviewbot.detectors.late_gate.moving import BRANCHES, hit
from reviewbot.detectors.shell.dataflow import Dataflow
from reviewbot.detectors.shell.expensive import is_expensive
from reviewbot.detectors.shell.flow import Flow
from reviewbot.detectors.shell.script import ShellFile, variables_read
from reviewbot.detectors.shell.tree import Node

# Names of what a run makes; that it is there can be asked only afterwards.
_FROM_A_RUN = pattern(
    r"(?<![a-z])(?:results?|logs?|outputs?|out|metrics?|traces?|artifacts?|reports?|scores?|p?ids?|jobs?"
    r"|status|rc|ckpts?|checkpoints?)(?![a-z])",
    re.IGNORECASE,
)
_INSTALLERS = pattern(
    r"apt(?:-get)?|apk|dnf|yum|brew|curl|wget|source|\.|make|pip\d?|uv|conda|module|git|cargo|npm|sudo|tar"
)
_SETTERS = ("read", "mapfile", "readarray", "getopts", "printf", "eval")
_TALKERS = ("echo", "printf", "log", ":", "export")
_SOME = 200  # characters in which an assigned name or a condition stands
_DEEP = 30  # branches around a command that are looked at


def find(file: ShellFile) -> Iterator[Hit]:
    dataflow = Dataflow(file)
    commands = ((node, dataflow.bare(node)) for node in file.commands)
    phases = [
        node for node, words in commands if is_expensive(node, words) and not _may_be_nothing(node, words)
    ]
    found = list(gates(file)) if phases else []
    if found:
        yield from _Order(file, dataflow, found).hits(phases)


def _may_be_nothing(node: Node, command: Sequence[str]) -> bool:
    """Whether a download stands in a branch: of an option that few give, and cached if it was given once."""
    branch = any(around.kind in BRANCHES for around in islice(node.ancestors(), _DEEP))
    return command[0] in ("hf", "huggingface-cli") and branch


class _Order:
    """Which phases of a script run before each gate, and whether the gate depends on them."""

    def __init__(self, file: ShellFile, dataflow: Dataflow, found: list[Gate]) -> None:
        self._file = file
        self._gates = {gate.test: gate for gate in found}
        self._dataflow = dataflow
        # Offsets, in the order of the text, at which ...
        self._set: dict[str, list[int]] = defaultdict(list)  # ... a name gets a value
        self._used: dict[str, list[int]] = defaultdict(list)  # ... a command works on it
        self._installed: list[int] = []  # ... a program may have come
        self._set_by_functions: set[str] = set()
        for node in file.nodes:
            for name in self._names_set(node):
                self._set[name].append(node.start)
                if file.options.function_of(node) is not None:
                    self._set_by_functions.add(name)
            if node.kind == "command":
                self._note(node)

    def _names_set(self, node: Node) -> Iterator[str]:
        beginning = self._file.text.content[node.start : node.start + _SOME]
        if node.kind == "variable_assignment":
            yield re.split(r"[+=\[]", beginning, maxsplit=1)[0]
        elif node.kind == "for_statement":
            yield "".join(beginning.split()[1:2])
        elif node.kind == "command" and node.name in _SETTERS:
            yield from (word.strip("\"'") for word in node.words[1:])

    def _note(self, command: Node) -> None:
        if _INSTALLERS.fullmatch(command.name.rsplit("/", 1)[-1]):
            self._installed.append(command.start)
        if command.name not in _TALKERS:
            for name in self._dataflow.variables(command):
                self._used[name].append(command.start)

    def hits(self, phases: list[Node]) -> Iterator[Hit]:
        """One for each phase, at the first of the gates behind it."""
        late: dict[Node, Node] = {}  # gate -> the first phase before it
        flow = Flow(self._file, self._gates)
        for phase in phases:
            for place, test in flow.following(phase):
                if place is test and test not in late and self._independent(phase, self._gates[test]):
                    late[test] = phase
        behind: dict[Node, list[Node]] = defaultdict(list)
        for test, phase in sorted(late.items(), key=lambda pair: pair[0].start):
            behind[phase].append(test)
        for phase, tests in behind.items():
            yield hit(self._file, tests, phase)

    def _independent(self, phase: Node, gate: Gate) -> bool:
        """Whether the gate could as well stand in front of the phase."""
        start, end = phase.start, gate.test.start
        if end < start or _exclude_each_other(self._file.text.content, phase, gate.test):
            return False
        if gate.tools:
            return not _between(self._installed, start, end)
        in_function = self._file.options.function_of(gate.test) is not None
        for name in gate.names:
            if _FROM_A_RUN.search(name) or (name in self._set_by_functions and not in_function):
                return False
            if _between(self._set[name], start, end):
                return False
        made_from = {n for name in gate.names for n in variables_read(self._dataflow.values.get(name, ""))}
        names = made_from | gate.names
        if gate.paths and any(_between(self._used[name], start + 1, end) for name in names):
            return False  # what stands between may make the file
        return not names & self._dataflow.variables(phase)


def _between(places: Sequence[int], start: int, end: int) -> bool:
    return bisect_left(places, start) < bisect_left(places, end)


def _exclude_each_other(content: str, phase: Node, test: Node) -> bool:
    """Whether conditions around the two ask the same variable: `MODE = a` here, `MODE = b` there."""
    around_phase, around_test = (tuple(islice(node.ancestors(), _DEEP)) for node in (phase, test))
    mine = _asked(content, (node for node in around_test if node not in around_phase))
    return bool(mine & _asked(content, (node for node in around_phase if node not in around_test)))


def _asked(content: str, around: Iterable[Node]) -> frozenset[str]:
    """The variables that the conditions of these branches compare."""
    names: frozenset[str] = frozenset()
    for node in around:
        if node.kind in ("if_statement", "elif_clause", "case_statement"):
            end = node.body[0].start if node.body else node.start + _SOME
            conditions = content[node.start : min(end, node.start + _SOME)]
            if node.kind == "case_statement":
                conditions, _, _ = conditions.partition("\n")
            if "=~" not in conditions:  # `TASKS =~ quant` and `TASKS =~ eval` are true of one list
                names |= variables_read(conditions)
    return names


DETECTOR = Detector(
    id="late-gate",
    summary="a precondition is tested behind the expensive phase, though it needs none of its results",
    finders={"shell": find},
    words=(
        Word(
            r"(?:precondition|gate|check|test|validation|requirement)s?\b[^.\n]{0,30}\b"
            r"(?:after|behind|too late|late\b|following|only once)",
            1,
        ),
        Word(r"precondition", 1),
        Word(
            r"(?:after|behind|late)\b[^.\n]{0,25}\b(?:expensive|costly|long|allocation|launch|boot|phase|run\b|job)",
            1,
        ),
        Word(r"(?:check|test)\w*\b[^.\n]{0,20}\btoo late", 2),
        Word(r"late (?:gate|check|validation|precondition)s?", 2),
    ),
    bad=BAD,
    good=GOOD,
    triggers={"shell": ("[", "test ", "command -v", "which ", ":?")},
)
