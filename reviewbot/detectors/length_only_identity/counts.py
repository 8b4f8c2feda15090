"""Which comparisons of a number of ids claim something of them, and which only decide what to cut."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set

from reviewbot.detectors.length_only_identity.flow import Read, names_in


class Tests:
    """The conditions of one scope. Places are lines: a nested `if` is found in the one around it."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self._around: dict[ast.AST, ast.AST] = {}  # comparison -> the `if` or loop whose condition it is in
        self._ends: list[int] = []
        self._cut: dict[str, list[int]] = defaultdict(list)  # name -> where a slice of it is taken
        for node in nodes:
            match node:
                case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                    self._around |= {n: node for n in ast.walk(test) if isinstance(n, ast.Compare)}
                case ast.Raise() | ast.Return() | ast.Continue():
                    self._ends.append(node.lineno)
                case ast.Subscript(value=value, slice=ast.Slice()):
                    for name in names_in(value):
                        self._cut[name].append(node.lineno)
        for lines in (self._ends, *self._cut.values()):
            lines.sort()

    def claims(
        self, compare: ast.Compare, sides: Sequence[Read], ids: Set[str], taken: Sequence[int]
    ) -> bool:
        """Whether a comparison vouches for the ids: two lengths that are equal, or a refusal by their number.

        `taken` are the lines, in order, at which the text is handed on.
        """
        around = self._around.get(compare)
        if around is None or sum(bool(side.measured) for side in sides) > 1:
            return True
        if not isinstance(around, ast.If):
            return False
        branches = [
            (b[0].lineno, b[-1].end_lineno or b[-1].lineno) for b in (around.body, around.orelse) if b
        ]
        cut = (self._cut.get(name, ()) for name in ids)
        if any(_within(lines, *branch) for lines in cut for branch in branches):
            return False
        return _within(self._ends, *branches[0]) or _within(taken, *branches[0])


def _within(lines: Sequence[int], first: int, last: int) -> bool:
    at = bisect_left(lines, first)
    return at < len(lines) and lines[at] <= last
