"""The loops of one Python scope, and whether an expression in them is the same in each turn.

What cannot be followed counts as changing: a name that is set in the loop, an object on which a
method is called for its effect, the result of a call that is not known to depend on its arguments alone.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from reviewbot.core.patterns import pattern
from reviewbot.detectors.python import Scope, dotted

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_STATEMENTS = (ast.For, ast.AsyncFor, ast.While)
# Calls that make the same of the same arguments.
_PURE = pattern(
    r"(?:^|\.)(?:str|len|list|tuple|sorted|repr|join|format|l?r?strip|lower|upper|replace|get|copy|range)$"
)
_ROUND = pattern(r"(?:^|\.)(?:enumerate|zip|tqdm|list|tuple|sorted|reversed|items|values|keys|range)$")
_CYCLE = pattern(r"(?:^|\.)cycle$")
# Iterables that give something else the second time, or nothing at all.
_STREAM = pattern(
    r"load(?:er)?|stream|iter|reader|queue|batch|generat|dataset|(?:^|_|\.)(?:dl|ds|f|fp|fh|fin|file)$", re.I
)
_ONCE = pattern(r"(?:^|\.)(?:open|map|filter|zip|cycle|islice|chain|\w*[Ii]ter\w*|\w*[Ll]oad\w*)$")
_SAYS = pattern(r"(?:^|\.)(?:print|debug|info|warning|warn|error|log|set_description|set_postfix|sleep)$")
_KEEPS = pattern(r"\.(?:append|add|extend|insert|put|write|send)$")  # takes what it is given as it is
_STEPS = 4  # from a name to what it was made of


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A statement, or one `for` of a comprehension; `inside` are the nodes that run in each turn."""

    node: ast.For | ast.AsyncFor | ast.While | ast.comprehension
    inside: tuple[ast.AST, ...]
    line: int

    @property
    def iterable(self) -> ast.expr | None:
        return None if isinstance(self.node, ast.While) else self.node.iter

    @property
    def target(self) -> frozenset[str]:
        return frozenset() if isinstance(self.node, ast.While) else frozenset(_names(self.node.target))


class _Changes:
    """What the turns of a loop change: names that are set, objects that something is done to."""

    def __init__(self, loop: Loop) -> None:
        self.set = set(loop.target)
        self.touched: set[str] = set()  # dotted, as are the next
        self.stored: set[str] = set()  # attributes that are set
        self.called: set[str] = set()  # names of which a method is called
        self.made: dict[str, list[ast.expr | None]] = defaultdict(list)  # name -> what it is set to
        simple: set[ast.Name] = set()
        for node in loop.inside:
            match node:
                case ast.Assign(targets=[ast.Name() as name], value=value):
                    simple.add(name)
                    self.made[name.id].append(value)
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    self.set.add(name)
                    if node not in simple and name not in loop.target:
                        self.made[name].append(None)
                case ast.Attribute(ctx=ast.Store() | ast.Del()):
                    self.stored.add(dotted(node))
                case ast.Subscript(ctx=ast.Store() | ast.Del(), value=value):
                    self.touched.add(dotted(value))
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    self.set.add(name)
                case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    self.set.add(name)
                case ast.ExceptHandler(name=str(name)) | ast.MatchMapping(rest=str(name)):
                    self.set.add(name)
                case ast.Expr(value=ast.Call() as call) if not _SAYS.search(dotted(call.func)):
                    self.touched.update(_acted_on(call))
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
                    self.called.add(name)
        self.around = {prefix for path in self.touched | self.stored for prefix in _prefixes(path)}

    def replaces(self, path: str) -> bool:
        """Whether a name is set, or an attribute on the way to it; or something is done to it itself."""
        is_set = path.partition(".")[0] in self.set or path in self.around
        return is_set or not self.stored.isdisjoint(_prefixes(path))

    def changes(self, path: str) -> bool:
        """The same, or something is done to what it is a part of."""
        root, dot, _ = path.partition(".")
        if self.replaces(path) or (dot and root in self.called):
            return True
        return not self.touched.isdisjoint(_prefixes(path))


class Loops:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._made: dict[ast.AST, Sequence[Loop]] = {}
        self._changes: dict[Loop, _Changes] = {}

    @cached_property
    def _parents(self) -> Mapping[ast.AST, ast.AST]:
        inner = (n for n in self._scope.nodes if not isinstance(n, _FUNCTIONS))
        return {child: node for node in inner for child in ast.iter_child_nodes(node)}

    def ancestors(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """(ancestor, its child on the way), the innermost first."""
        while parent := self._parents.get(node):
            yield parent, node
            node = parent

    def around(self, node: ast.AST) -> Iterator[tuple[Loop, Sequence[ast.expr]]]:
        """The loops in whose turns a node runs, innermost first, each with the conditions on the way."""
        tests: list[ast.expr] = []
        for parent, child in self.ancestors(node):
            if isinstance(parent, ast.Lambda | ast.ExceptHandler | ast.match_case):
                return  # run elsewhere, only when something has failed, or in some turns
            if isinstance(parent, ast.If | ast.IfExp) and child is not parent.test:
                tests.append(parent.test)
            if isinstance(parent, ast.BoolOp):
                tests += [value for value in parent.values if value is not child]
            if isinstance(parent, _STATEMENTS) and _runs_in_turns(parent, child):
                yield self._loops(parent)[0], tests
                tests = []
            if isinstance(parent, _COMPREHENSIONS) and not isinstance(child, ast.comprehension):
                for loop, generator in zip(self._loops(parent), reversed(parent.generators), strict=True):
                    yield loop, (*tests, *generator.ifs)
                    tests = []

    def _loops(self, node: ast.AST) -> Sequence[Loop]:
        """A statement as a loop, or the loops of a comprehension, the innermost first."""
        if node not in self._made:
            if isinstance(node, _COMPREHENSIONS):
                shown = [n for f in ("elt", "key", "value") if (n := getattr(node, f, None)) is not None]
                loops = []
                for at, generator in reversed([*enumerate(node.generators)]):
                    inside = _walk([*shown, *node.generators[at + 1 :], *generator.ifs])
                    loops.append(Loop(generator, inside, generator.iter.lineno))
                self._made[node] = loops
            elif isinstance(node, _STATEMENTS):
                head = [node.test] if isinstance(node, ast.While) else []
                self._made[node] = [Loop(node, _walk([*head, *node.body]), node.lineno)]
        return self._made[node]

    def _of(self, loop: Loop) -> _Changes:
        if loop not in self._changes:
            self._changes[loop] = _Changes(loop)
        return self._changes[loop]

    def changes(self, paths: Iterable[str], loop: Loop) -> bool:
        """Whether a turn of the loop changes any of these names or attributes."""
        return any(map(self._of(loop).changes, paths))

    def replaces(self, path: str, loop: Loop) -> bool:
        """Whether a turn of the loop puts another object there, or configures it anew."""
        return self._of(loop).replaces(path)

    def is_flag(self, path: str, loop: Loop) -> bool:
        """Whether a turn of the loop sets a name to a constant: `if first: …; first = False` runs once."""
        made = self._of(loop).made.get(path.partition(".")[0], ())
        return any(isinstance(value, ast.Constant) for value in made)

    def outside(self, paths: Iterable[str], loop: Loop) -> frozenset[str] | None:
        """What decides about these paths outside a loop that goes over the same things each time it is run.

        None where that cannot be known.
        """
        changes = self._of(loop)
        found: set[str] = set()
        waiting = [(path, 0) for path in paths]
        for path, steps in waiting:
            root = path.partition(".")[0]
            made = changes.made.get(root, [])
            if root in loop.target and not made:
                around = self.pool(loop.iterable)
                if around is None:
                    return None
                found |= around
            elif root in changes.set:
                value = made[0] if len(made) == 1 and steps < _STEPS else None
                read = None if value is None else _reads(value)
                if read is None:
                    return None
                waiting += [(name, steps + 1) for name in read]
            elif changes.changes(path):
                return None
            else:
                found.add(path)
        return frozenset(found)

    def pool(self, iterable: ast.expr | None) -> frozenset[str] | None:
        """The names that an iterable is made of, if it gives the same elements whenever it is gone over."""
        match iterable:
            case ast.Call(func=func, args=args) if _ROUND.search(dotted(func)):
                given = args or ([func.value] if isinstance(func, ast.Attribute) else [])
                pools = [self.pool(part) for part in given]
                return None if None in pools else frozenset().union(*(p for p in pools if p is not None))
            case ast.Name() | ast.Attribute():
                name = dotted(iterable)
                known = name and not _STREAM.search(name) and name not in self._spent
                return frozenset({name}) if known else None
            case ast.Constant():
                return frozenset()
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                return read_by(elements)
        return None

    @cached_property
    def _spent(self) -> frozenset[str]:
        """The names that may hold an iterator: the second pass over it finds nothing."""
        found: set[str] = set()
        for node in self._scope.nodes:
            match node:
                case ast.Assign(targets=[target], value=ast.GeneratorExp()):
                    found.add(dotted(target))
                case ast.Assign(targets=[target], value=ast.Call(func=func)) if _ONCE.search(dotted(func)):
                    found.add(dotted(target))
                case ast.withitem(optional_vars=ast.Name(id=name)):
                    found.add(name)
        return frozenset(found)

    def cycles(self, paths: Iterable[str], loop: Loop) -> bool:
        """Whether what a loop changes of these paths comes round: `cycle(pool)`, `pool[i % len(pool)]`."""
        changes = self._of(loop)
        match loop.iterable:
            case ast.Call(func=func) if _CYCLE.search(dotted(func)):
                round_and_round = loop.target - changes.made.keys()
            case _:
                round_and_round = frozenset()
        waiting = [path for path in paths if changes.changes(path)]
        for step, path in enumerate(waiting):
            root = path.partition(".")[0]
            made = changes.made.get(root, [])
            if root in round_and_round or (len(made) == 1 and pool_of(made[0])):
                continue
            read = _reads(made[0]) if len(made) == 1 and made[0] is not None else None
            if read is None or step > _STEPS:
                return False
            waiting += [name for name in read if changes.changes(name)]
        return bool(waiting)


def _runs_in_turns(loop: ast.For | ast.AsyncFor | ast.While, child: ast.AST) -> bool:
    once = loop.orelse if isinstance(loop, ast.While) else [loop.target, loop.iter, *loop.orelse]
    return child not in once


def pool_of(value: ast.expr | None) -> ast.expr | None:
    """The sequence of which an expression is an element counted round: `pool[i % len(pool)]`."""
    match value:
        case ast.Subscript(
            value=pool,
            slice=ast.BinOp(op=ast.Mod(), right=ast.Call(func=ast.Name(id="len"), args=[measured])),
        ) if dotted(pool) and dotted(pool) == dotted(measured):
            return pool
    return None


def read_by(nodes: Iterable[ast.expr]) -> frozenset[str] | None:
    """What decides about all of these expressions; None where that cannot be known of one of them."""
    parts = [_reads(node) for node in nodes]
    return None if None in parts else frozenset().union(*(part for part in parts if part is not None))


def _reads(node: ast.AST) -> frozenset[str] | None:
    """The names and attributes that decide what an expression is; None where a call in it may decide too."""
    found: set[str] = set()
    own: set[str] = set()
    stack: list[ast.AST] = [node]
    while stack:
        part = stack.pop()
        match part:
            case ast.Await() | ast.Yield() | ast.YieldFrom() | ast.Lambda() | ast.NamedExpr():
                return None
            case ast.Call(func=func):
                name = dotted(func)
                if not _PURE.search(name) or (name.endswith("get") and not part.args):  # of a queue
                    return None
                stack += [*part.args, *part.keywords]
                if isinstance(func, ast.Attribute):
                    stack.append(func.value)
            case ast.Name(id=name, ctx=ast.Store()):
                own.add(name)
            case ast.Name() | ast.Attribute() if (path := dotted(part)) and not path.startswith("."):
                found.add(path)
            case _:
                stack += ast.iter_child_nodes(part)
    return frozenset(path for path in found if path.partition(".")[0] not in own)


def _prefixes(path: str) -> list[str]:
    """`a.b.c` and what it is part of: `a`, `a.b`."""
    parts = path.split(".")
    return [".".join(parts[:n]) for n in range(1, min(len(parts), 8) + 1)] if parts[0] else []


def _acted_on(call: ast.Call) -> Iterator[str]:
    """What a call whose result is dropped may change: its object, and what it is given to work on."""
    if isinstance(call.func, ast.Attribute):
        yield dotted(call.func.value)
    if not _KEEPS.search(dotted(call.func)):
        yield from (dotted(arg) for arg in call.args)


def _names(node: ast.AST) -> Iterator[str]:
    return (n.id for n in ast.walk(node) if isinstance(n, ast.Name))


def _walk(nodes: Sequence[ast.AST]) -> tuple[ast.AST, ...]:
    """The nodes and all below them, functions closed."""
    found: list[ast.AST] = []
    stack = [*nodes][::-1]
    while stack:
        node = stack.pop()
        found.append(node)
        if not isinstance(node, _FUNCTIONS):
            stack += [*ast.iter_child_nodes(node)][::-1]
    return tuple(found)
