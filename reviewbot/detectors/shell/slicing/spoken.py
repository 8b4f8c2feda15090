"""Where in a script what stands in a function may be at work: from where that is first spoken of."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node

_WORD = pattern(r"[\w-]+")


class Spoken:
    """Of one script. A function in another counts as that other."""

    def __init__(self, file: ShellFile) -> None:
        self._file = file
        self._defined: dict[str, list[Node]] = defaultdict(list)
        self._outermost: list[Node] = []
        for node in file.nodes:
            if node.kind == "function_definition":
                if not (self._outermost and node.start < self._outermost[-1].end):
                    self._outermost.append(node)
                self._defined[node.name].append(self._outermost[-1])
        self._first = self._followed(*self._mentions())

    def at(self, node: Node) -> int:
        """Where a node stands; of one in a function, where the top level first has the name of that, or of
        a function that has it; the end of the text where nothing has."""
        owner = self._owner(node.start)
        return node.start if owner is None else self._first.get(owner, len(self._file.text.content))

    def _owner(self, at: int) -> Node | None:
        index = bisect_right(self._outermost, at, key=lambda function: function.start) - 1
        found = self._outermost[index] if index >= 0 else None
        return found if found is not None and at < found.end else None

    def _mentions(self) -> tuple[Mapping[str, int], Mapping[Node, Sequence[str]]]:
        """Name -> where the top level first has it; function -> the names that it has."""
        first: dict[str, int] = {}
        inside: dict[Node, dict[str, None]] = defaultdict(dict)
        for word in _WORD.finditer(self._file.text.content if self._defined else ""):
            if word[0] in self._defined:
                owner = self._owner(word.start())
                if owner is None:
                    first.setdefault(word[0], word.start())
                else:
                    inside[owner][word[0]] = None
        return first, {owner: [*names] for owner, names in inside.items()}

    def _followed(self, first: Mapping[str, int], inside: Mapping[Node, Sequence[str]]) -> dict[Node, int]:
        reached: dict[Node, int] = {}
        for name, at in first.items():  # in the order of the text: the first to get to a function counts
            waiting = [*self._defined[name]]
            while waiting:
                function = waiting.pop()
                if function not in reached:
                    reached[function] = at
                    waiting += (f for other in inside.get(function, ()) for f in self._defined[other])
        return reached
