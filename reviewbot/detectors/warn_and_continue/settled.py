"""Whether what a branch warns of is settled all the same: behind it, by whoever calls, or in a comment."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Text
from reviewbot.detectors.python import dotted

_FAR = 8  # statements behind a warning that may still mend the case
_NEXT = 3  # of them, those that may replace what was asked about
_BEFORE = 4  # statements in front of it
_LINES = 6  # lines of a comment
_NODES = 300  # of a statement that are looked at: many warnings may stand in front of one that is long
_MEANT = pattern(
    r"legitimate|harmless|(?:is|are) allowed|\bfine\b(?!-)|\bok(?:ay)?\b|on purpose|intention|deliberate"
    r"|\bstill\b|\b(?:can|may|might) (?:legitimately )?(?:differ|happen|be (?:more|less|fewer))|not an error"
    r"|best[- ]effort|tolerat|acceptable|expected (?:for|when|if|here)",
    re.I,
)


class Behind(NamedTuple):
    """What runs behind a statement: `block` from `at` on, then what stands behind the branch around it."""

    block: Sequence[ast.stmt]
    at: int
    outer: Behind | None

    def statements(self) -> Iterator[ast.stmt]:
        behind: Behind | None = self
        while behind is not None:
            for at in range(behind.at, len(behind.block)):
                yield behind.block[at]
            behind = behind.outer


class Place(NamedTuple):
    """An `if`, the block that it stands in, and what runs behind it."""

    node: ast.If
    block: Sequence[ast.stmt]
    at: int
    behind: Behind | None


def settled(place: Place, text: Text) -> bool:
    asked = _names(place.node.test)
    following = tuple(islice(place.behind.statements(), _FAR)) if place.behind else ()
    return (
        not following
        or _only_hands_back(following[0])
        or any(_replaces(statement, asked) for statement in following[:_NEXT])
        or any(_pads(node, asked) for statement in following for node in _nodes(statement))
        or any(_is_callers_choice(s, asked) for s in place.block[max(place.at - _BEFORE, 0) : place.at])
        or bool(_MEANT.search(" ".join(_comments(place.node, text))))
    )


def _only_hands_back(statement: ast.stmt) -> bool:
    """`return a, self.b`: nothing more is made of what was doubted."""
    if not isinstance(statement, ast.Return):
        return False
    plain = (ast.Name, ast.Attribute, ast.Constant, ast.Tuple, ast.UnaryOp, ast.unaryop, ast.expr_context)
    return statement.value is None or all(isinstance(node, plain) for node in _nodes(statement.value))


def _replaces(statement: ast.stmt, asked: set[str]) -> bool:
    """Whether a name that was asked about gets another value, that is not made of its own."""
    match statement:
        case ast.Assign(targets=[target], value=value) if dotted(target) in asked:
            return dotted(target) not in _names(value)
    return False


def _pads(node: ast.AST, asked: set[str]) -> bool:
    """`[""] * (n - len(texts))`: what is lacking is made up for."""
    match node:
        case ast.BinOp(
            left=ast.List() | ast.Tuple(), op=ast.Mult(), right=ast.BinOp(op=ast.Sub()) as lacking
        ):
            return bool(_names(lacking) & asked)
    return False


def _is_callers_choice(statement: ast.stmt, asked: set[str]) -> bool:
    """`missing, unexpected = load(…, strict=strict)`: who wants a mismatch to stop has it so."""
    match statement:
        case ast.Assign(targets=[target], value=ast.Call(keywords=keywords)) if _names(target) & asked:
            return any(k.arg == "strict" and not isinstance(k.value, ast.Constant) for k in keywords)
    return False


def _comments(node: ast.If, text: Text) -> Iterator[str]:
    """The comments right above the `if`, in its branch and right behind that."""
    for line in range(node.lineno - 1, max(node.lineno - 1 - _LINES, 0), -1):
        row = text.lines[line - 1].strip()
        if not row.startswith("#"):
            break
        yield row
    last = node.body[-1].end_lineno or node.body[-1].lineno
    for line in range(node.lineno, min(last + _LINES, len(text.lines)) + 1):
        row = text.lines[line - 1].strip()
        if row.startswith("#"):
            yield row
        elif line > last:
            break


def _names(node: ast.AST) -> set[str]:
    """`n`, `self.n`: the names and the dotted names in an expression."""
    return {dotted(n) for n in _nodes(node) if isinstance(n, ast.Name | ast.Attribute)} - {"len", "set"}


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The first nodes in the order of the text; `ast.walk` lists all children of a node that it visits."""
    return islice(_in_order(node), _NODES)


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    stack = [iter((node,))]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
        else:
            yield child
            stack.append(ast.iter_child_nodes(child))
