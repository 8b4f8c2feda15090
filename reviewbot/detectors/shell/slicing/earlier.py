"""What of a script may have run when control gets to a place in it."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node

_WORD = pattern(r"[\w-]+")


class _Mention(NamedTuple):
    name: str  # of a function
    at: int
    within: Node | None  # the outermost function around it


class Earlier:
    """Of one script. A function in another counts as that other; whoever names a function may call it."""

    def __init__(self, file: ShellFile) -> None:
        self._length = len(file.text.content)
        self._defined: dict[str, list[Node]] = defaultdict(list)
        self._outermost: list[Node] = []
        for node in file.nodes:
            if node.kind == "function_definition":
                if not (self._outermost and node.start < self._outermost[-1].end):
                    self._outermost.append(node)
                self._defined[node.name].append(self._outermost[-1])
        self._mentions = [
            _Mention(word[0], word.start(), self._around(word.start()))
            for word in _WORD.finditer(file.text.content if self._defined else "")
            if word[0] in self._defined
        ]
        self._inside: dict[Node, set[str]] = defaultdict(set)
        for name, _, within in self._mentions:
            if within is not None:
                self._inside[within].add(name)

    @property
    def mentions(self) -> int:
        return len(self._mentions)

    def than(self, route: Sequence[Node]) -> Callable[[int], bool]:
        """Whether what stands at an offset may have run at the start of the first node of a route, to
        which the others, calls of functions, lead; the last is at the top level, or nobody calls it."""
        ends: dict[Node | None, int] = {}
        for node in route:
            around = self._around(node.start)
            ends[around] = max(node.start if node is route[0] else node.end, ends.get(around, 0))
        ends.setdefault(None, self._length)
        waiting = [
            function
            for name, at, within in self._mentions
            if at < ends.get(within, 0)
            for function in self._defined[name]
        ]
        called: set[Node | None] = set()
        while waiting:
            function = waiting.pop()
            if function not in ends and function not in called:
                called.add(function)
                waiting += (f for name in self._inside[function] for f in self._defined[name])
        return lambda at: (around := self._around(at)) in called or at < ends.get(around, 0)

    def _around(self, at: int) -> Node | None:
        index = bisect_right(self._outermost, at, key=lambda function: function.start) - 1
        found = self._outermost[index] if index >= 0 else None
        return found if found is not None and at < found.end else None
