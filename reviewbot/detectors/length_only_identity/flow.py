"""What the names of one Python scope are made of and where they go; a length is not the thing itself."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from reviewbot.detectors.python import Scope, dotted
from reviewbot.detectors.tokenizer import decodes, encoder

_STEPS = 4  # from a name to what it was made of
_MANY = 60  # names that are followed; nobody composes a text of more


class Read(NamedTuple):
    """What an expression reads, or several: names, names whose length it takes, the calls in it."""

    names: frozenset[str]
    measured: frozenset[str]
    calls: frozenset[ast.Call]


class Flow:
    def __init__(self, scope: Scope) -> None:
        self.made_from: dict[str, set[str]] = defaultdict(set)
        self.made_into: dict[str, set[str]] = defaultdict(set)
        self.made_by: dict[str, set[str]] = defaultdict(set)  # name -> the calls in its values, dotted
        self.counts: dict[str, set[str]] = defaultdict(set)  # name -> what it is the length of
        self.given: dict[ast.Call, set[str]] = {}  # call whose result is assigned -> the names that get it
        for node in scope.nodes:
            match node:
                case ast.Assign(targets=targets, value=value):
                    self._assigned(targets, value)
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    self._assigned([target], value)
                case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                    self._assigned([target], value)
                case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                    self._assigned([target], value)
                case ast.comprehension(target=target, iter=value):
                    self._assigned([target], value)

    def _assigned(self, targets: Iterable[ast.expr], value: ast.expr) -> None:
        read, names = reading([value]), {name for target in targets for name in names_in(target)}
        for name in names:
            self.made_from[name] |= read.names
            self.made_by[name] |= {dotted(call.func) for call in read.calls}
            self.counts[name] |= read.measured
        for name in read.names:
            self.made_into[name] |= names
        for call in read.calls:
            self.given.setdefault(call, set()).update(names)

    def before(self, names: Iterable[str]) -> frozenset[str]:
        """The names, and those that they are made from."""
        return _reachable(names, self.made_from)

    def after(self, names: Iterable[str]) -> frozenset[str]:
        """The names, and those that are made from them."""
        return _reachable(names, self.made_into)


def names_in(node: ast.AST) -> set[str]:
    """The names and the attributes of `self` that are read in an expression, outside `len(…)`; not what is
    called, and not the `i` of `ids[i]`: they say nothing of the ids."""
    found: set[str] = set()
    stack = [node]
    while stack:
        part = stack.pop()
        if name := _name(part):
            found.add(name)
        elif isinstance(part, ast.Call):
            stack += [] if _is_len(part) else _given(part)
        elif isinstance(part, ast.Subscript) and not isinstance(part.slice, ast.Slice):
            stack.append(part.value)
        else:
            stack += ast.iter_child_nodes(part)
    return found


def _given(call: ast.Call) -> list[ast.AST]:
    """What a call works on: its arguments, and the `ids` of `ids.tolist()`, but no tokenizer."""
    on = (
        [call.func.value]
        if isinstance(call.func, ast.Attribute) and not (encoder(call) or decodes(call))
        else []
    )
    return [*call.args, *(k.value for k in call.keywords), *on]


def reading(nodes: Iterable[ast.expr]) -> Read:
    """What the expressions read together."""
    names: set[str] = set()
    lengths: set[str] = set()
    calls: list[ast.Call] = []
    for node in nodes:
        names |= names_in(node)
        calls += (n for n in ast.walk(node) if isinstance(n, ast.Call))
    for call in calls:
        if _is_len(call):
            lengths |= {name for arg in call.args for name in names_in(arg)}
    return Read(frozenset(names), frozenset(lengths), frozenset(calls))


def _name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id="self"), attr=attr):
            return f"self.{attr}"
    return ""


def _is_len(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"


def _reachable(names: Iterable[str], edges: dict[str, set[str]]) -> frozenset[str]:
    found = set(names)
    edge = set(found)
    for _ in range(_STEPS):
        edge = {n for name in edge for n in edges.get(name, ())} - found
        if not edge or len(found) > _MANY:
            break
        found |= edge
    return frozenset(found)
