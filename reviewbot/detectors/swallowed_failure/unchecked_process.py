"""Python's form of a swallowed failure: a process whose status is thrown away before its work is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile, dotted
from reviewbot.detectors.shell.launches import bare, is_launch

# What makes or moves the thing that is used later; `rm`, `mkdir`, `echo`, `kill` do not.
_MAKES = pattern(
    r"\s*(?:sudo\s+)?(?:cp|mv|rsync|scp|wget|curl|aria2c|tar|unzip|gzip|gunzip|zstd|git|ln|aws|gsutil|ffmpeg|patch"
    r"|make|cmake|python[\d.]*|bash|sh|\./\S+)\b"
)
_NEAR = 10  # statements in which the work is looked for
_CALLS = ("os.system", "subprocess.run", "subprocess.call")
# A call whose result is thrown away starts a statement; without one the file need not be parsed.
_STATEMENT = pattern(r"(?:^|[;:])[ \t]*(?:os\.system|subprocess\.(?:run|call))[ \t]*\(", re.MULTILINE)
_TELLS = pattern(
    r"(?:^|\.)(?:print|debug|info|warning|warn|error|log|append|format|join|exists|isfile|isdir)$"
)
_CHECKS = pattern(r"(?:^|\.)(?:exists|isfile|isdir|is_file|is_dir|stat|getsize)$")
_LISTS = pattern(r"(?:^|\.)(?:glob|iglob|rglob|listdir|scandir|iterdir)$")
_REST = pattern(r"[^\s\"';&|()<>]+")  # of a word
_BETWEEN = ast.Constant(" ")  # the arguments of a list


class _Product(NamedTuple):
    """What a process makes: a name, and what is written behind it, as in `f"{out}/sample"`."""

    name: str
    rest: str


def find_python(file: PythonFile) -> Iterator[Hit]:
    if not _STATEMENT.search(file.text.content):
        return
    for block in _blocks(file.tree):
        calls = [_thrown_away(statement) for statement in block]
        if any(calls):
            made = [_product(call.args[0]) if call else None for call in calls]
            names = [_names(statement) for statement in block]
            for at, (call, product) in enumerate(zip(calls, made, strict=True)):
                if call and product:
                    later = range(at + 1, min(at + 1 + _NEAR, len(block)))
                    mentions = (i for i in later if product.name in names[i])
                    if user := _user(block, made, product, mentions):
                        yield _hit(block[at], call, user, product)


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
    for part in _parts(node):
        match part:
            case (
                ast.Constant(value=str(text))
                | ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text))))
            ):
                if text.strip():
                    return text
            case _:
                return ""
    return ""


def _parts(command: ast.expr) -> list[ast.expr]:
    """The pieces that a command line is put together from, in their order."""
    parts: list[ast.expr] = []
    waiting = [command]
    while waiting:
        match waiting.pop():
            case ast.BinOp(left=left, right=right):
                waiting += [right, left]
            case ast.JoinedStr(values=values):
                waiting += reversed(values)
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                for element in reversed(elements):
                    waiting += [element, _BETWEEN]
            case part:
                parts.append(part)
    return parts


def _product(command: ast.expr) -> _Product | None:
    """What the last name of a command line stands for: there most, as `cp` and `wget -O`, put their work."""
    rest = ""
    for part in reversed(_parts(command)):
        if isinstance(part, ast.Constant):
            rest = part.value + rest if isinstance(part.value, str) else rest
        elif name := _last_name(part):
            behind = _REST.match(rest)
            return _Product(name, behind[0].strip("/*") if behind else "")
    return None


def _last_name(part: ast.expr) -> str:
    waiting: list[ast.AST] = [part]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name | ast.Attribute):
            return dotted(node)
        waiting += ast.iter_child_nodes(node)
    return ""


def _user(
    block: Sequence[ast.stmt], made: Sequence[_Product | None], product: _Product, mentions: Iterable[int]
) -> ast.stmt | None:
    """The first statement that works on a product; None where it is tested or made anew before."""
    for at in mentions:
        other = made[at]
        if other and other.name == product.name:
            return None
        if other and _speaks_of(product, block[at]):
            return block[at]
        works = _works_on(block[at], product)
        if works is not None:
            return block[at] if works and not _is_counted(block[at : at + 2]) else None
    return None


def _works_on(statement: ast.stmt, product: _Product) -> bool | None:
    """Whether a statement gives a product to a call; False if it tests it or makes it anew; None: neither."""
    works, name = None, product.name
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
                works = works or any(_speaks_of(product, argument) for argument in _given(node)) or None
    return works


def _speaks_of(product: _Product, argument: ast.AST) -> bool:
    """Whether it names the product itself, and not only the folder that it lies in."""
    if product.name not in _names(argument):
        return False
    constants = (node.value for node in ast.walk(argument) if isinstance(node, ast.Constant))
    return not product.rest or any(isinstance(c, str) and product.rest in c for c in constants)


def _is_counted(statements: Sequence[ast.stmt]) -> bool:
    """Whether the first of two statements lists a folder, and the second tests what it has found."""
    match statements:
        case [
            ast.Assign(targets=[ast.Name(id=found)], value=ast.Call(func=func)),
            ast.Assert(test=test) | ast.If(test=test),
        ]:
            return bool(_LISTS.search(dotted(func))) and found in _names(test)
    return False


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


def _hit(statement: ast.stmt, call: ast.Call, user: ast.stmt, product: _Product) -> Hit:
    name = f"{{{product.name}}}{product.rest}" if product.rest else product.name
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
        cost="A run on a file that is missing, cut short or from an earlier run, reported as this run's.",
        fix=f"Use {remedy}, so that a failure raises.",
        grade=Grade.HINT,
    )
