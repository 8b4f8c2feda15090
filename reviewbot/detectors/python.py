"""A Python module, parsed once by the standard library."""

from __future__ import annotations

import ast
import re
import warnings
from functools import cached_property
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Text

_TEST = pattern(
    r"(?:^|/)(?:(?:[\w.-]+[_-])?tests?|testing)/|(?:^|/)(?:tests?_[^/]*|[^/]*_tests?|conftest|testing)\.pyi?$"
)
_COMMENT = pattern(r"""("[^"]*"|'[^']*')|#.*""")  # a `#` in a string begins none
_SHOWN = 200  # characters of a line of which 80 can be shown
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Scope(NamedTuple):
    """A function or the module, with all nodes in it in the order of the text.

    A function in it is one of its nodes; what stands in that function is a scope of its own.
    """

    owner: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
    nodes: tuple[ast.AST, ...]


class PythonFile:
    """`tree` raises SyntaxError, ValueError or RecursionError as ast.parse does."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.path = text.path
        self.partial = text.partial

    @cached_property
    def tree(self) -> ast.Module:
        # A lone CR ends a line for Python and none for git: as a space it keeps git's numbers.
        source = re.sub(r"\r(?!\n)", " ", self.text.content.removeprefix("\ufeff"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in reviewed code are not our warnings
            return ast.parse(source)

    @cached_property
    def scopes(self) -> tuple[Scope, ...]:
        """Every scope of the module, outer ones first: one walk that its detectors share."""
        found: list[Scope] = []
        waiting: list[ast.Module | ast.FunctionDef | ast.AsyncFunctionDef] = [self.tree]
        for owner in waiting:
            nodes: list[ast.AST] = []
            stack = [*ast.iter_child_nodes(owner)][::-1]
            while stack:  # no recursion: reviewed code nests as deep as it likes
                node = stack.pop()
                nodes.append(node)
                if isinstance(node, _FUNCTIONS):
                    waiting.append(node)
                else:
                    stack += [*ast.iter_child_nodes(node)][::-1]
            found.append(Scope(owner, tuple(nodes)))
        return tuple(found)

    def written(self, node: ast.expr) -> str:
        """The text of an expression on one line without comments, cut to about 80 characters; backticks
        become quotes."""
        first, last = node.lineno - 1, min(node.end_lineno or node.lineno, node.lineno + 5)
        rows = [row.encode("utf-8", "surrogatepass") for row in self.text.lines[first:last]]
        if first == 0:
            rows[0] = rows[0].removeprefix("\ufeff".encode())
        if last == node.end_lineno:
            rows[-1] = rows[-1][: node.end_col_offset]
        rows[0] = rows[0][node.col_offset :]
        shown = (_COMMENT.sub(r"\1", row.decode("utf-8", "replace")[:_SHOWN]) for row in rows)
        text = " ".join(" ".join(shown).replace("`", "'").split())
        return text if len(text) <= 80 else text[:79].rstrip() + "…"

    @property
    def is_test(self) -> bool:
        """Whether its path says that it is a test."""
        return bool(_TEST.search(self.path))


def dotted(node: ast.expr) -> str:
    """`self.tokenizer` -> "self.tokenizer"; of `f(x).root` only ".root"; "" for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))
