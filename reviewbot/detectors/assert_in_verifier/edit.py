"""`assert c` as `if not c: raise AssertionError`: how the guard is written, and the suggestion itself."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from itertools import islice

from reviewbot.core.types import Edit
from reviewbot.detectors.python import PythonFile

_MAX_EDIT = 20  # lines; nobody reads a longer suggestion
_MANY = 100  # nodes of a condition that is written anew; `ast.unparse` recurses
_SHOWN = 80  # characters of code in a sentence

_BARE = (ast.Compare, ast.Call, ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp, ast.Await)
# `<` is never turned into `>=`: NaN fails both.
_INVERSE: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}


class Source:
    """The text of a module by the places of its nodes; columns of `ast` are UTF-8 bytes."""

    def __init__(self, file: PythonFile) -> None:
        self.has_mark = file.text.content.startswith("\ufeff")
        self.lines = [
            line.removeprefix("\ufeff") if i == 0 else line for i, line in enumerate(file.text.lines)
        ]

    def of(self, node: ast.expr) -> str:
        """The node's own text, or "" where it takes more than one line."""
        if node.end_lineno != node.lineno:
            return ""
        return self.cut(node.lineno, node.col_offset, node.end_col_offset)

    def on_one_line(self, node: ast.expr) -> str:
        """The node's own text, or the same written anew; "" for what is too large."""
        if text := self.of(node):
            return text
        try:
            return "" if len(list(islice(ast.walk(node), _MANY + 1))) > _MANY else ast.unparse(node)
        except ValueError:  # an integer of more than 4,300 digits
            return ""

    def cut(self, line: int, start: int, end: int | None = None) -> str:
        return self.lines[line - 1].encode()[start:end].decode()


def shown(source: Source, node: ast.Assert) -> tuple[str, str]:
    """The assertion, and the `if` that takes its place, as they stand in a sentence."""
    guard = _guard(source.on_one_line, node.test)
    condition = source.on_one_line(node.test) or "…"
    return _short(f"assert {condition}"), _short(guard or "if not …:")


def _short(code: str) -> str:
    code = " ".join(code.replace("`", "'").split())
    return code if len(code) <= _SHOWN else code[: _SHOWN - 1].rstrip() + "…"


def edit(source: Source, asserts: Sequence[ast.Assert]) -> Edit | None:
    """All asserts of the verifier as `if …: raise`, or nothing: one left behind and the finding stays."""
    start, end = asserts[0].lineno, asserts[-1].end_lineno or asserts[-1].lineno
    if end - start >= _MAX_EDIT or source.has_mark:
        return None
    lines: list[str] = []
    at = start
    for node in asserts:
        rewritten = _rewritten(source, node)
        if not rewritten:
            return None
        lines += [*source.lines[at - 1 : node.lineno - 1], *rewritten]
        at = (node.end_lineno or node.lineno) + 1
    return Edit(start, end, "\n".join(lines))


def _rewritten(source: Source, node: ast.Assert) -> list[str]:
    """The lines for one assert; empty where it shares its line, or holds what would get lost."""
    end = node.end_lineno or node.lineno
    indent = source.cut(node.lineno, 0, node.col_offset)
    tail = source.cut(end, node.end_col_offset or 0).strip()
    if (
        indent.strip()
        or (tail and not tail.startswith("#"))
        or isinstance(node.msg, ast.Yield | ast.YieldFrom)
    ):
        return []
    if end > node.lineno and any("#" in line for line in source.lines[node.lineno - 1 : end]):
        return []  # a comment between the parentheses
    condition = source.of(node.test)
    message = source.of(node.msg) if node.msg else _literal(f"does not hold: {condition}")
    if not condition or not message:
        return []
    deeper = indent + ("\t" if "\t" in indent else "    ")
    comment = f"  {tail}" if tail else ""
    if is_false(node.test):
        return [f"{indent}raise AssertionError({message if node.msg else ''}){comment}"]
    return [f"{indent}{_guard(source.of, node.test)}{comment}", f"{deeper}raise AssertionError({message})"]


def is_false(test: ast.expr) -> bool:
    """`assert False`: no condition that could be asked."""
    return isinstance(test, ast.Constant) and not test.value


def _guard(write: Callable[[ast.expr], str], test: ast.expr) -> str:
    """The `if` line that is true where the assertion fails; "" where the condition cannot be written."""
    condition = write(test)
    if not condition:
        return ""
    match test:
        case ast.UnaryOp(op=ast.Not()):
            return f"if {condition.removeprefix('not').lstrip()}:"
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _INVERSE:
            sign, inverse = _INVERSE[type(op)]
            if condition == f"{write(left)} {sign} {write(right)}":  # no parentheses to lose
                return f"if {write(left)} {inverse} {write(right)}:"
    return f"if not {condition}:" if isinstance(test, _BARE) else f"if not ({condition}):"


def _literal(text: str) -> str:
    return repr(text) if '"' in text or "\\" in text else f'"{text}"'
