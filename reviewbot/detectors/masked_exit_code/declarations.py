"""`local v=$(cmd)`: the status is that of `local`, which is 0."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Edit, Grade
from reviewbot.detectors.masked_exit_code.readers import Readers, Reading
from reviewbot.detectors.masked_exit_code.work import Trade, Work
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node, Role

# Flags that leave the variable as it would be without them.
_DECLARED = pattern(r"((?:local|export|declare|typeset)(?:[ \t]+-[gx])?)[ \t]+([A-Za-z_]\w*)=")
_NAME = pattern(r"([A-Za-z_]\w*)=")
_FAILS = pattern(r"\b(?:return|exit)[ \t]+(?!0\b)\S|\bexit\b")
_SOME = 2000  # characters of a function that are read
_NEAR = 400  # characters behind a declaration in which its value may be tested


class Declared(NamedTuple):
    node: Node
    word: str  # "local", "export", …
    name: str
    reading: Reading | None  # None: errexit was to stop the script
    grade: Grade
    edit: Edit | None
    stops: bool = False  # errexit may be on: an assignment by itself would end the script before the handler


class Declarations:
    def __init__(self, file: ShellFile, readers: Readers, trade: Trade) -> None:
        self._file = file
        self._readers = readers
        self._trade = trade

    def masked(self) -> Iterator[Declared]:
        for node in self._file.nodes:
            if node.kind != "declaration_command" or not (found := _substituted(node)):
                continue
            assignment, substitution = found
            readings = [r for r in self._readers.of(node) if r.via is None and not r.unread]
            reading = min(readings, key=lambda r: r.said, default=None)
            if reading:
                grade = Grade.HINT if reading.said or reading.how == "&&" else Grade.STRONG
            elif self._would_stop(node, assignment, substitution):
                grade = Grade.HINT
            else:
                continue
            word, name = node.words[0], _name(self._file.text.content, assignment)
            errexit = self._file.options.errexit_at(node)
            stops = reading is not None and reading.how == "$?" and errexit is not Setting.OFF
            edit = self._apart(node) if reading and not stops else None
            yield Declared(node, word, name, reading, grade, edit, stops)

    def _would_stop(self, node: Node, assignment: Node, substitution: Node) -> bool:
        """Whether errexit is on, the command can fail, and nobody looks whether it gave anything."""
        commands = [c for c in substitution.body if c.kind == "command"]
        if not commands or self._file.options.errexit_at(node) is not Setting.ON:
            return False
        content = self._file.text.content
        function = self._file.functions.get(commands[-1].name)
        if function is None:
            fails = self._trade.of(commands[-1]) is Work.SURE
        else:
            fails = bool(_FAILS.search(content, function.start, min(function.end, function.start + _SOME)))
        name = re.escape(_name(content, assignment))
        tested = re.compile(rf"(?:-[nz]|\[\[?|\bcase)\s+\"?\$\{{?{name}\b")
        return fails and not tested.search(content, node.end, node.end + _NEAR)

    def _apart(self, node: Node) -> Edit | None:
        """Declare first, assign then. None where the declaration is not the first thing on its line."""
        content = self._file.text.content
        found = _DECLARED.match(content, node.start)
        begins = content.rfind("\n", 0, node.start) + 1
        indent = content[begins : node.start]
        assignments = [c for c in node.children if c.kind == "variable_assignment"]
        if not found or indent.strip() or len(assignments) != 1 or len(node.words) > 1 + ("-" in found[1]):
            return None
        if node.role not in (Role.BODY, Role.LEFT):
            return None
        row = self._file.text.lines[node.line - 1]
        assigned = row[found.end(2) - len(found[2]) - begins :]
        return Edit(node.line, node.line, f"{indent}{found[1]} {found[2]}\n{indent}{assigned}")


def _substituted(declaration: Node) -> tuple[Node, Node] | None:
    """The last assignment from a command, and the command: its status is the one that is meant."""
    for assignment in reversed(declaration.children):
        if assignment.kind == "variable_assignment":
            for part in assignment.children:
                if part.kind == "command_substitution":
                    return assignment, part
    return None


def _name(content: str, assignment: Node) -> str:
    found = _NAME.search(content, assignment.start, assignment.end)
    return found[1] if found else ""
