"""Python's form of a swallowed failure: a process whose status is thrown away before its work is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from reviewbot.core.types import Grade
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile, dotted
from reviewbot.detectors.shell.launches import bare, is_launch

# What makes or moves the thing that is used later; `rm`, `mkdir`, `echo`, `kill` do not.
_MAKES = re.compile(
    r"\s*(?:sudo\s+)?(?:cp|mv|rsync|scp|wget|curl|aria2c|tar|unzip|gzip|gunzip|zstd|git|ln|aws|gsutil|ffmpeg|patch"
    r"|make|cmake|python[\d.]*|bash|sh|\./\S+)\b"
)
_NEAR = 10  # statements in which the work is looked for
_CALLS = ("os.system", "subprocess.run", "subprocess.call")
# A call whose result is thrown away starts a statement; without one the file need not be parsed.
_STATEMENT = re.compile(r"(?:^|[;:])[ \t]*(?:os\.system|subprocess\.(?:run|call))[ \t]*\(", re.MULTILINE)
_TELLS = re.compile(
    r"(?:^|\.)(?:print|debug|info|warning|warn|error|log|append|format|join|exists|isfile|isdir)$"
)
_CHECKS = re.compile(r"(?:^|\.)(?:exists|isfile|isdir|is_file|is_dir|stat|getsize)$")


def find_python(file: PythonFile) -> Iterator[Hit]:
    if not _STATEMENT.search(file.text.content):
        return
    for block in _blocks(file.tree):
        calls = [_thrown_away(statement) for statement in block]
        if any(calls):
            targets = [_last_name(call.args[0]) if call else "" for call in calls]
            names = [_names(statement) for statement in block]
            for at, call in enumerate(calls):
                later = range(at + 1, min(at + 1 + _NEAR, len(block)))
                mentions = (i for i in later if targets[at] in names[i])
                user = _user(block, targets, targets[at], mentions) if call else None
                if call and user:
                    yield _hit(block[at], call, user, targets[at])


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
        dotted(call.func) not in _CALLS
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
    waiting: list[ast.AST] = [command]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name | ast.Attribute):
            return dotted(node)
        waiting += ast.iter_child_nodes(node)
    return ""


def _user(
    block: Sequence[ast.stmt], targets: Sequence[str], name: str, mentions: Iterable[int]
) -> ast.stmt | None:
    """The first statement that works on the name; None where it is tested or made anew before."""
    for at in mentions:
        if targets[at]:
            return block[at] if targets[at] != name else None
        works = _works_on(block[at], name)
        if works is not None:
            return block[at] if works else None
    return None


def _works_on(statement: ast.stmt, name: str) -> bool | None:
    """Whether a statement gives the name to a call; False if it tests it or makes it anew; None: neither."""
    works = None
    for node in ast.walk(statement):
        if (
            isinstance(node, ast.Name | ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and dotted(node) == name
        ):
            return False
        if isinstance(node, ast.Call):
            called = dotted(node.func)
            if _CHECKS.search(called) and name in _names(node):
                return False
            if not _TELLS.search(called) and (called not in _CALLS or _launches(node)):
                works = works or any(name in _names(argument) for argument in _given(node)) or None
    return works


def _launches(call: ast.Call) -> bool:
    """Whether a process is what the hours are spent on, and not another errand."""
    match call.args:
        case [ast.List(elts=parts) | ast.Tuple(elts=parts), *_]:
            words = [_command(part) for part in parts]
        case [line, *_]:
            words = _command(line).split()
        case _:
            return False
    return is_launch(bare(words))


def _names(node: ast.AST) -> set[str]:
    return {dotted(n) for n in ast.walk(node) if isinstance(n, ast.Name | ast.Attribute)}


def _given(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args
    yield from (keyword.value for keyword in call.keywords)


def _hit(statement: ast.stmt, call: ast.Call, user: ast.stmt, name: str) -> Hit:
    called = dotted(call.func)
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
