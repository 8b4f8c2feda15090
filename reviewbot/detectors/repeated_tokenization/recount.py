"""A second pass that tokenizes the elements of a sequence which an earlier loop has tokenized already."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from reviewbot.detectors.python import Scope, dotted
from reviewbot.detectors.repeated_tokenization.loops import Loop, Loops

_KNOWN = (ast.Name, ast.Subscript, ast.Constant, ast.keyword, ast.Load)
_MANY = 30  # nodes of the arguments of a call that is compared with others
_BLOCKS = ("body", "orelse", "finalbody")


class _Pass(NamedTuple):
    call: ast.Call
    loop: Loop


def recounts(scope: Scope, loops: Loops, calls: Sequence[ast.Call]) -> Iterator[tuple[ast.Call, ast.Call]]:
    """(call, the earlier one that has made the same ids): `sum(len(tok.encode(t)) for t in texts)`."""
    first: dict[tuple[str, ...], _Pass] = {}
    is_kept = _kept(scope)
    for call in calls:
        loop, _ = next(loops.around(call), (None, ()))
        key = _key(loops, call, loop) if loop else None
        if loop is None or key is None:
            continue
        before = first.setdefault(key, _Pass(call, loop))
        if before.loop is not loop and is_kept(key[0]) and _comes_first(loops, before.call, call):
            yield call, before.call


def _key(loops: Loops, call: ast.Call, loop: Loop) -> tuple[str, ...] | None:
    """The pool, and the call with the loop's variable made anonymous; None where more than that decides."""
    target = None if isinstance(loop.node, ast.While) else loop.node.target
    pool = loops.pool(loop.iterable)
    if not isinstance(target, ast.Name) or pool is None or len(pool) != 1:
        return None
    given = [*call.args, *call.keywords]
    nodes = list(islice((n for part in given for n in ast.walk(part)), _MANY + 1))
    if len(nodes) > _MANY or not all(isinstance(n, _KNOWN) for n in nodes) or not dotted(call.func):
        return None
    shown = [ast.dump(part).replace(f"id='{target.id}'", "id='*'") for part in given]
    if not any("id='*'" in part for part in shown) or sum(part.count("Name(") for part in shown) != 1:
        return None
    return (*pool, dotted(call.func), *shown)


def _kept(scope: Scope) -> Callable[[str], bool]:
    """Whether a scope sets a sequence once at most, and does nothing to it or to what stands in it."""
    stores: Counter[str] = Counter()
    touched: set[str] = set()
    changed = False  # an element of something is set: of what, is not followed
    for node in scope.nodes:
        match node:
            case ast.Name(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                stores[dotted(node)] += 1
            case ast.Subscript(ctx=ast.Store() | ast.Del()):
                changed = True
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=value))):
                touched.add(dotted(value))
    return lambda pool: not changed and stores[pool] <= 1 and pool not in touched


def _comes_first(loops: Loops, before: ast.Call, call: ast.Call) -> bool:
    """Whether whoever reaches `call` has been through the loop of `before`."""
    around = dict(loops.ancestors(call))
    for parent, child in loops.ancestors(before):
        if parent in around:
            blocks = [getattr(parent, name, None) for name in _BLOCKS]
            return any(isinstance(b, list) and child in b and around[parent] in b for b in blocks)
        if isinstance(parent, ast.If | ast.IfExp | ast.ExceptHandler | ast.match_case | ast.Lambda):
            return False
    return True
