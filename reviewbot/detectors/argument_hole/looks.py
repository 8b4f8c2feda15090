"""Where a script looks whether a variable is empty: tests, defaults, and functions that require it."""

from __future__ import annotations

import re
from collections import defaultdict

from reviewbot.core.patterns import pattern
from reviewbot.detectors.argument_hole.positional import GUARDS
from reviewbot.detectors.shell.script import ShellFile, variables_read
from reviewbot.detectors.shell.tree import Node

_DEFAULT = pattern(r"\$\{(\w+)(?::[-=?+]|\?)|\$\{#(\w+)\}")
_INDIRECT = pattern(r"\$\{!\w")
_NAME = pattern(r"[A-Za-z_]\w*")
_SOME = 500  # characters of one test or list that are read


class Looks:
    def __init__(self, file: ShellFile) -> None:
        self._file = file
        self._content = file.text.content
        self._indirect = bool(_INDIRECT.search(self._content))
        self._last: dict[str, int] = {}  # variable -> where it is looked at last
        self._within: dict[str, set[Node]] = defaultdict(set)  # the functions that look at it
        for found in _DEFAULT.finditer(self._content):
            name = found[1] or found[2]
            self._last[name] = found.start()
        for node in file.nodes:
            self._note(node)

    def at(self, name: str, loop: Node) -> bool:
        """Whether a variable is looked at behind a loop, or in a function that the loop is no part of."""
        around = self._file.options.function_of(loop)
        return self._last.get(name, 0) > loop.end or bool(self._within.get(name, set()) - {around})

    def _note(self, node: Node) -> None:
        function = self._file.options.function_of(node)
        for name in self._looked_at(node):
            self._last[name] = max(self._last.get(name, 0), node.start)
            if function is not None:
                self._within[name].add(function)

    def _looked_at(self, node: Node) -> frozenset[str]:
        text = self._content[node.start : min(node.end, node.start + _SOME)]
        if node.kind == "test_command" or (node.kind == "command" and node.name in ("test", "[")):
            return variables_read(text)
        if node.kind == "case_statement":
            return variables_read(text.partition("\n")[0])
        if node.kind == "for_statement" and self._indirect:
            return frozenset(_NAME.findall(re.split(r"[;\n]", text, maxsplit=1)[0]))
        if node.kind == "command" and GUARDS.search(node.name):
            return variables_read(text) | frozenset(_NAME.findall(text))
        return frozenset()
