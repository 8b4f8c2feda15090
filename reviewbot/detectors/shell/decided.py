"""What a test decides about: the statements that run, or do not, by its answer."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node, Role
from reviewbot.detectors.shell.wayout import leaving

_STEPS = 30  # lists and negations around a test; a hostile script nests more
_MANY = 30  # statements of a branch; what refuses is short


def decided(test: Node) -> Iterator[Node]:
    """The body of the `if` whose condition it is part of, the right side of its `&&` or `||`."""
    node = test
    for _ in range(_STEPS):
        parent = node.parent
        if parent is None:
            return
        if node.role is Role.CONDITION:
            if parent.kind in ("if_statement", "elif_clause"):
                yield from parent.body[:_MANY]
            return
        if node.role is Role.LEFT:
            yield from (child for child in parent.children if child.role is Role.RIGHT)
        elif parent.kind != "redirected_statement" and node.role not in (Role.NEGATED, Role.RIGHT):
            return
        node = parent


def refuses(file: ShellFile, test: Node) -> bool:
    """Whether the script, or the function, is left with a failure by the answer of a test."""
    leaves = (leaving(file, statement) for statement in decided(test))
    return any(leave is not None and leave.words[1:2] != ("0",) for leave in leaves)
