"""What a function does besides checking: `python -O` leaves a pure check with nothing to do at all.

Of 386 hits on public code those went wrong whose function computes an answer (`compare_version`), makes
so what it is asked for (`ensure_started`), or is called by a word of its trade (a trainer's `validate`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from reviewbot.detectors.python import dotted

CHECKS = re.compile(r"verif|valid|check|sanity|audit|ensure|assert", re.IGNORECASE)
_SAYS = re.compile(r"(?:^|\.)(?:print\w*|debug|info|warn|warning|error|critical|exception|log|write|flush)(?:_once)?$")
_LEAVES = re.compile(r"(?:^|\.)(?:exit|_exit|abort|fail|add_argument|barrier|synchronize)$")
_FILLS = re.compile(r"\.(?:append|add|extend|insert|update|discard|setdefault|pop|sort)$")
_CONTAINERS = ("list", "dict", "set", "defaultdict", "Counter", "deque", "OrderedDict", "copy", "deepcopy")
_LITERALS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.BinOp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Conduct(NamedTuple):
    checks: int  # asserts, raises, and calls of other checks
    work: int  # statements whose effect outlives the call
    answers: bool  # gives back something else than what it was given, or a yes and a no


def conduct(owner: Function | ast.Module) -> Conduct:
    """Counts over a function and those in it; what a module defines is none of its own."""
    nodes = list(_statements(owner))
    own = _own_containers(nodes) | {n.name for n in nodes if isinstance(n, _FUNCTIONS)}
    checks = work = 0
    for node in nodes:
        if isinstance(node, ast.Assert | ast.Raise) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _is_check(node.value)
        ):
            checks += 1
        elif _works(node, own):
            work += 1
    return Conduct(checks, work, isinstance(owner, _FUNCTIONS) and _answers(owner, nodes))


def _statements(owner: Function | ast.Module) -> Iterator[ast.stmt]:
    """All statements below a node in no order; expressions are not walked."""
    waiting: list[ast.AST] = [owner]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt) and node is not owner:
            yield node
        if isinstance(owner, ast.Module) and isinstance(node, _FUNCTIONS | (ast.ClassDef,)):
            continue
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, name, ())


def _own_containers(nodes: list[ast.stmt]) -> set[str]:
    """The names that only ever hold a container which the function has made itself."""
    made: set[str] = set()
    other: set[str] = set()
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(
                target=ast.Name(id=name), value=ast.expr() as value
            ):
                called = dotted(value.func).rsplit(".", 1)[-1] if isinstance(value, ast.Call) else ""
                (made if isinstance(value, _LITERALS) or called in _CONTAINERS else other).add(name)
    return made - other


def _works(node: ast.stmt, own: set[str]) -> bool:
    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            return any(_is_outside(target, own) for target in targets)
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target, value=ast.expr()):
            return _is_outside(target, own)
        case ast.Expr(value=ast.Await(value=value)) | ast.Expr(value=value):
            return _acts(value, own)
    return False


def _is_outside(target: ast.expr, own: set[str]) -> bool:
    """Whether a target is part of something that the function was given: `config.act`, `row["text"]`."""
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(_is_outside(part, own) for part in parts)
        case ast.Attribute(attr=attr):
            return not CHECKS.search(attr)  # `self._checked = True` remembers the check
        case ast.Subscript():
            return _root(target) not in own
    return False


def _acts(value: ast.expr, own: set[str]) -> bool:
    match value:
        case ast.Yield() | ast.YieldFrom():
            return True
        case ast.Call(func=func):
            name = dotted(func)
            if name in own or _SAYS.search(name) or _LEAVES.search(name) or _is_check(value):
                return False
            return not (_FILLS.search(name) and _root(func) in own)
        case ast.ListComp(elt=each):
            return _acts(each, own)
    return False


def _is_check(call: ast.Call) -> bool:
    return bool(CHECKS.search(dotted(call.func).rsplit(".", 1)[-1]))


def _root(node: ast.expr) -> str:
    """`seen[i].name` -> "seen"."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _answers(owner: Function, nodes: list[ast.stmt]) -> bool:
    given = {p.arg for p in (*owner.args.posonlyargs, *owner.args.args, *owner.args.kwonlyargs)}
    for node in nodes:
        if isinstance(node, ast.Assign):
            given -= {target.id for target in node.targets if isinstance(target, ast.Name)}
    constants: set[object] = set()
    for value in _returned(owner):
        match value:
            case ast.Constant(value=constant):
                constants.add(repr(constant))
            case ast.Name(id=name) if name in given:
                continue
            case _:
                return True
    return len(constants - {"None"}) > 1


def _returned(owner: Function) -> Iterator[ast.expr]:
    """What a function gives back, those in it left out."""
    waiting: list[ast.AST] = list(owner.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            yield node.value
        if not isinstance(node, _FUNCTIONS):
            for name in ("body", "orelse", "finalbody", "handlers", "cases"):
                waiting += getattr(node, name, ())
