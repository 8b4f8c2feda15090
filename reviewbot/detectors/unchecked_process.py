"""Python's form of a swallowed failure: a process whose status is thrown away before its work is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from reviewbot.core.types import Grade
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile

# What makes or moves the thing that is used later; `rm`, `mkdir`, `echo`, `kill` do not.
_MAKES = re.compile(
    r"\s*(?:sudo\s+)?(?:cp|mv|rsync|scp|wget|curl|aria2c|tar|unzip|gzip|gunzip|zstd|git|ln|aws|gsutil|ffmpeg|patch"
    r"|make|cmake|python[\d.]*|bash|sh|\./\S+)\b"
)
_NEAR = 10  # statements in which the work is looked for
_CALLS = ("os.system", "subprocess.run", "subprocess.call")
_TELLS = re.compile(
    r"(?:^|\.)(?:print|debug|info|warning|warn|error|log|append|format|join|exists|isfile|isdir)$"
)
_CHECKS = re.compile(r"(?:^|\.)(?:exists|isfile|isdir|is_file|is_dir|stat|getsize)$")


def find_python(file: PythonFile) -> Iterator[Hit]:
    for block in _blocks(file.tree):
        for at, statement in enumerate(block):
            call = _thrown_away(statement)
            if call is None:
                continue
            target = _last_name(call.args[0])
            user = _user(block[at + 1 : at + 1 + _NEAR], target)
            if user is not None:
                yield _hit(statement, call, user, target)


def _blocks(tree: ast.Module) -> Iterator[Sequence[ast.stmt]]:
    """Every sequence of statements; expressions are not walked."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, [])
            yield block
            waiting += block
        waiting += [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]


def _thrown_away(statement: ast.stmt) -> ast.Call | None:
    """The call of a statement that starts a process and does not look at how it ended."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return None
    call = statement.value
    if (
        _dotted(call.func) not in _CALLS
        or not call.args
        or any(k.arg in ("check", None) for k in call.keywords)
    ):
        return None
    return call if _MAKES.match(_command(call.args[0])) else None


def _command(node: ast.expr) -> str:
    """The beginning of a command line, as far as it is written out."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=[first, *_]):
            return _command(first)
        case ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_]):
            return _command(first)
        case ast.BinOp(left=left):
            return _command(left)
        case ast.Call(func=ast.Attribute(value=text)):
            return _command(text)  # "cp {} {}".format(…)
    return ""


def _last_name(command: ast.expr) -> str:
    """The last name in a command line: where `cp`, `tar -C`, `wget -O` and most others put their work."""
    names = [n for n in ast.walk(command) if isinstance(n, ast.Name)]
    return max(names, key=lambda n: (n.lineno, n.col_offset)).id if names else ""


def _user(later: Sequence[ast.stmt], name: str) -> ast.stmt | None:
    """The next statement that works on the name; None where it is tested or made anew first."""
    for statement in later:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
                return None
            if not isinstance(node, ast.Call):
                continue
            called = _dotted(node.func)
            if _CHECKS.search(called) and _mentions(node, name):
                return None
            if (
                called not in _CALLS
                and not _TELLS.search(called)
                and any(_mentions(a, name) for a in _given(node))
            ):
                return statement
    return None


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))


def _given(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args
    yield from (keyword.value for keyword in call.keywords)


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))


def _hit(statement: ast.stmt, call: ast.Call, user: ast.stmt, name: str) -> Hit:
    called = _dotted(call.func)
    remedy = (
        "`subprocess.run([…], check=True)`"
        if called == "os.system"
        else f"`check=True`{' with `subprocess.run`' if called.endswith('.call') else ''}"
    )
    return Hit(
        start_line=statement.lineno,
        line=statement.end_lineno or statement.lineno,
        failure=f"The exit status of `{called}(…)` is thrown away: when the command fails, "
        f"line {user.lineno} still works on `{name}`.",
        cost="Hours on a file that is missing, cut short or from an earlier run, reported as this run's.",
        fix=f"Use {remedy}, so that a failure raises.",
        grade=Grade.HINT,
    )
