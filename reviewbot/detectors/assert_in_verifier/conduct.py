"""What a function does besides checking: `python -O` leaves a pure check with nothing to do at all.

Of 386 hits on public code those went wrong whose function computes an answer (`compare_version`), makes
so what it is asked for (`ensure_started`), or is called by a word of its trade (a trainer's `validate`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.python import dotted

# The names of what promises a check, and nothing else.
PROMISE = pattern(
    r"_*(?:do_|run_|maybe_|self_)?(?:verif|validat|check|sanity|audit|assert)|\w+_(?:checks?|validation)$",
    re.IGNORECASE,
)
_CHECKED = pattern(r"verif|valid|check", re.IGNORECASE)
_SAYS = pattern(
    r"(?:^|\.)(?:print\w*|debug|info|warn|warning|error|critical|exception|log|std\w+\.write)(?:_once)?$"
)
_LEAVES = pattern(r"(?:^|\.)(?:exit|_exit|abort|fail|add_argument|barrier|synchronize)$")
_FILLS = pattern(r"\.(?:append|add|extend|insert|update|discard|setdefault|pop|sort)$")
_CONTAINERS = ("list", "dict", "set", "defaultdict", "Counter", "deque", "OrderedDict", "copy", "deepcopy")
_LITERALS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.BinOp)
_MESSAGES = (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Call)
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Conduct(NamedTuple):
    asserts: int
    work: int  # statements whose effect outlives the call
    answers: bool  # gives back something else than what it was given, or a yes and a no
    explains: bool  # says in an assert what is wrong, or raises nowhere


def conduct(owner: Function) -> Conduct:
    """Counts over a function and those in it."""
    nodes = list(_statements(owner))
    own = _own_containers(nodes) | {n.name for n in nodes if isinstance(n, _FUNCTIONS)}
    return Conduct(
        sum(isinstance(node, ast.Assert) for node in nodes),
        sum(_works(node, own) for node in nodes),
        _answers(owner, nodes),
        any(isinstance(node, ast.Assert) and isinstance(node.msg, _MESSAGES) for node in nodes)
        or not _refuses(nodes),
    )


def _statements(owner: Function, *, nested: bool = True) -> Iterator[ast.stmt]:
    """All statements of a function in no order, with or without those of the functions in it."""
    waiting: list[ast.AST] = list(owner.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            yield node
        if nested or not isinstance(node, _FUNCTIONS):
            for name in BLOCKS:
                waiting += getattr(node, name, ())


def _refuses(nodes: list[ast.stmt]) -> bool:
    """Whether something is raised for what is found, and not for an exception that was caught."""
    tries = (node for node in nodes if isinstance(node, ast.Try))
    caught = {n for node in tries for handler in node.handlers for n in ast.walk(handler)}
    return any(isinstance(node, ast.Raise) and node not in caught for node in nodes)


def _own_containers(nodes: list[ast.stmt]) -> set[str]:
    """The names that only ever hold a container which the function has made itself."""
    made: set[str] = set()
    other: set[str] = set()
    for node in nodes:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
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
            return not _CHECKED.search(attr)  # `self._checked = True` remembers the check
        case ast.Subscript():
            return _root(target) not in own
    return False


def _acts(value: ast.expr, own: set[str]) -> bool:
    match value:
        case ast.Yield() | ast.YieldFrom():
            return True
        case ast.Call(func=func):
            name = dotted(func)
            if name in own or _SAYS.search(name) or _LEAVES.search(name):
                return False
            if PROMISE.match(name.rsplit(".", 1)[-1]):
                return False
            return not (_FILLS.search(name) and _root(func) in own)
        case ast.ListComp(elt=each):
            return _acts(each, own)
    return False


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
    constants: set[tuple[type, object]] = set()
    for node in _statements(owner, nested=False):
        match node:
            case ast.Return(value=None | ast.Constant(value=None)):
                continue
            case ast.Return(value=ast.Constant(value=constant)):
                constants.add((type(constant), constant))
            case ast.Return(value=ast.Name(id=name)) if name in given:
                continue
            case ast.Return():
                return True
    return len(constants) > 1
