"""What slices may cost."""

from __future__ import annotations

from itertools import islice

from reviewbot.detectors.shell.reduced import Unreducible
from reviewbot.detectors.shell.tree import Node

_LEFT = 200_000  # about 0.2 s
_NESTED = 50  # nodes, one in another: for each of them the writer of a slice calls itself


class Budget:
    """For all slices of one script: a statement or a call that is looked at costs 1, and so does a
    character that is read. Raises Unreducible for what is too much."""

    def __init__(self) -> None:
        self._left = _LEFT

    def spend(self, cost: int) -> None:
        self._left -= cost
        if self._left < 0:
            raise Unreducible

    def descend(self, node: Node) -> None:
        """To a node, as far down as a function that calls itself can follow."""
        self.spend(1)
        if next(islice(node.ancestors(), _NESTED - 1, None), None) is not None:
            raise Unreducible
