"""A shell script, parsed once, and what every shell detector asks of it.

The statements are read into a light tree (tree.py, where the grammar's traps are kept);
the shell options in force at each of them come from one shared model (errexit.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

from reviewbot.core.language import interpreter
from reviewbot.core.patterns import pattern
from reviewbot.core.types import Text
from reviewbot.detectors.shell.errexit import Options
from reviewbot.detectors.shell.tree import Node, Role, read

_READ = pattern(r"(?<!\\)\$(?:\{[#!]?([A-Za-z_]\w*)|([A-Za-z_]\w*))")
_ASSIGNED = pattern(r"([A-Za-z_]\w*)(?:=([^\n]*))?")


class ShellFile:
    """Reading `nodes`, or what is made of them, raises ValueError where that would take minutes."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.path = text.path
        self.partial = text.partial

    @property
    def shell(self) -> str:
        """Which of bash, dash and sh runs it, bash where no `#!` line says; "" for another shell."""
        named = interpreter(self.text.first_line) or "bash"
        return named if named in ("bash", "dash", "sh") else ""

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Every node in the order of the text, the program first."""
        return read(self.text.content)

    @property
    def tree(self) -> Node:
        return self.nodes[0]

    @cached_property
    def commands(self) -> tuple[Node, ...]:
        """The simple commands, also those inside substitutions, conditions and functions."""
        return tuple(node for node in self.nodes if node.kind == "command")

    @cached_property
    def functions(self) -> Mapping[str, Node]:
        """Name -> function_definition; of two with one name, the later."""
        return self.options.functions

    @cached_property
    def assigned(self) -> Mapping[str, Sequence[str]]:
        """Name -> the text of each value that is assigned to it, in the order of the text; "" for what is
        added, for an element, and for a value of more than one line."""
        values: dict[str, list[str]] = defaultdict(list)
        for node in self.nodes:
            if node.kind == "variable_assignment":
                found = _ASSIGNED.match(self.text.content, node.start, node.end)
                if found:
                    values[found[1]].append(found[2] or "" if found.end() == node.end else "")
        return values

    @cached_property
    def exiting(self) -> frozenset[str]:
        """The functions that end in `exit`, whatever happens in them."""
        return frozenset(name for name, function in self.functions.items() if _always_exits(function))

    @cached_property
    def options(self) -> Options:
        """errexit, nounset and pipefail at each node."""
        return Options(self.nodes, self.text.first_line)


def variables_read(text: str) -> frozenset[str]:
    """The names expanded in a piece of shell text; positional and special parameters are none."""
    return frozenset(braced or bare for braced, bare in _READ.findall(text))


def innermost(statement: Node) -> Node:
    """The statement without its redirections."""
    return (
        statement.children[0]
        if statement.kind == "redirected_statement" and statement.children
        else statement
    )


def _always_exits(function: Node) -> bool:
    """Whether `exit` is one of the statements of a function's body."""
    body = next((child for child in function.children if child.role is Role.INNER), None)
    return body is not None and any(innermost(s).name == "exit" for s in body.body)
