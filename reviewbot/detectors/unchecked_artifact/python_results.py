"""Python: a size is asked of what a child process should have written, because its status was 0."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile

_STATUS = pattern(r"(?:^|_)(?:rc|ret|retcode|returncode|exit_?code|exit_?status|status|code)$", re.I)
_WORTH_PARSING = pattern(r"(?:rc|ret|code|status)\s*==\s*0\b|\bnot\s+\w*(?:rc|ret|returncode)\b")
_SIZES = pattern(r"getsize\(|\.stat\(\)")
_EXISTS = pattern(r"exists|is_?file|is_?dir|access|glob|listdir|iterdir|FileNotFoundError|OSError|IOError")


def find_python(file: PythonFile) -> Iterator[Hit]:
    content = file.text.content
    if not (_WORTH_PARSING.search(content) and _SIZES.search(content)):
        return
    for node in ast.walk(file.tree):
        if isinstance(node, ast.If) and _is_success(node.test) and (size := _size(node.body)):
            yield _hit(size, file.written(size))


def _is_success(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=0)]):
            return bool(_STATUS.search(_last_name(left)))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return bool(_STATUS.search(_last_name(operand)))
    return False


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _size(body: Sequence[ast.stmt]) -> ast.Call | None:
    """The first size that is asked for; None where something asked first whether the file is there."""
    for statement in body:
        if isinstance(statement, ast.If | ast.Try | ast.For | ast.While | ast.With):
            return None
        for node in ast.walk(statement):
            name = (
                node.attr
                if isinstance(node, ast.Attribute)
                else node.id
                if isinstance(node, ast.Name)
                else ""
            )
            if _EXISTS.search(name):
                return None
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                called = _last_name(node.func)
                if called == "getsize" or (called == "stat" and not node.args and not node.keywords):
                    return node
    return None


def _hit(size: ast.Call, shown: str) -> Hit:
    return Hit(
        size.lineno,
        size.end_lineno or size.lineno,
        failure=f"`{shown}` takes the status 0 as proof that the file was written: a "
        "process can end well and write nothing, and a file of an earlier run has a size too.",
        cost="A crash behind hours of work, or the size of an old file reported as this run's.",
        fix="Remove the file before the process starts, and `raise` when it is missing or empty afterwards.",
        grade=Grade.HINT,
    )
