"""Where the paths of a Python module come from: made canonical, given by somebody, or not to be told."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from reviewbot.detectors.python import dotted

_CANONICAL = ("realpath", "resolve")
_ABSOLUTE = ("abspath", "absolute", "getcwd", "cwd")
# What leaves a path as canonical, or as raw, as its first part is.
_KEEPS = (
    *("str", "fspath", "Path", "PurePath", "expanduser", "normcase", "normpath", "as_posix", "rstrip"),
    *("join", "joinpath", "dirname", "with_suffix", "with_name"),
)
_MODULES = ("os", "os.path", "osp", "op", "path", "pathlib")
_ARGUMENTS = ("args", "opts", "options", "argv", "environ")
_PLAIN_TYPES = ("str", "Path", "PurePath", "int", "float", "bool")
_STEPS = 8  # assignments and calls from one expression to the next that are followed
_MANY = 50  # nodes that are looked at for one path, and values of one name

_Function = ast.FunctionDef | ast.AsyncFunctionDef
Owner = ast.Module | ast.ClassDef | _Function
_HOLDERS = (ast.stmt, ast.ExceptHandler, ast.match_case)


class Origin(Enum):
    CANONICAL = "canonical"  # `..` and links are gone
    ABSOLUTE = "absolute"  # `..` is gone, links are not
    GIVEN = "given"  # typed by somebody: the command line, the environment
    PARAMETER = "parameter"  # of a function: its callers may have resolved it
    UNKNOWN = "unknown"


class Value(NamedTuple):
    """What a name was set to; None where that cannot be told: a loop, an unpacking, a `with`, `+=`."""

    node: ast.expr | None
    line: int
    always: bool  # in no branch of its function


class Origins:
    """The statements of a module with their scopes, and what each name in these was set to."""

    def __init__(self, tree: ast.Module) -> None:
        self.statements: list[tuple[ast.stmt, Owner]] = []
        self._around: dict[Owner, Owner] = {}
        self._values: dict[tuple[Owner | None, str], list[Value]] = defaultdict(list)
        self._parameters: dict[Owner, set[str]] = {}
        self._typed: set[str] = set()  # arguments that something makes of what was typed
        self._left = 0  # nodes that may still be looked at for one path
        self._own: set[ast.stmt] = set()  # the statements of a function's body, in no branch of it
        waiting: list[tuple[ast.AST, Owner]] = [(tree, tree)]
        while waiting:
            node, scope = waiting.pop()
            if isinstance(node, ast.stmt):
                self.statements.append((node, scope))
                self._note(node, scope)
            if isinstance(node, ast.ClassDef | _Function):
                self._around[node] = scope
                self._own.update(node.body)
                self._parameters[node] = _parameters(node)
                scope = node
            waiting += [(c, scope) for c in ast.iter_child_nodes(node) if isinstance(c, _HOLDERS)]

    def _note(self, node: ast.stmt, scope: Owner) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._set(target, value, node, scope)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._set(target, value, node, scope)
            case ast.AugAssign(target=target) | ast.For(target=target) | ast.AsyncFor(target=target):
                self._set(target, None, node, scope)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="add_argument")) as call):
                self._typed.update(_typed(call))
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for item in items:
                    if item.optional_vars:
                        self._set(item.optional_vars, None, node, scope)

    def _set(self, target: ast.expr, value: ast.expr | None, node: ast.stmt, scope: Owner) -> None:
        if isinstance(target, ast.Tuple | ast.List | ast.Starred):
            for part in ast.walk(target):
                if isinstance(part, ast.Name):
                    self._values[scope, part.id].append(Value(None, node.lineno, False))
        elif name := dotted(target):
            # An attribute is known in the whole module: `self.root` of one method in another.
            owner = None if "." in name else scope
            self._values[owner, name].append(Value(value, node.lineno, node in self._own))

    def of(self, node: ast.expr, scope: Owner) -> Origin:
        """Where a path comes from; UNKNOWN unless all that it may be set to says the same."""
        self._left = _MANY
        return self._of(node, scope, _STEPS)

    def _of(self, node: ast.expr, scope: Owner, steps: int) -> Origin:
        self._left -= 1
        if steps == 0 or self._left < 0:
            return Origin.UNKNOWN
        match node:
            case ast.Call():
                return self._of_call(node, scope, steps - 1)
            case ast.BinOp(op=ast.Div() | ast.Add(), left=first):
                return self._of(first, scope, steps - 1)
            case ast.JoinedStr(values=[ast.FormattedValue(value=first), *_]):
                return self._of(first, scope, steps - 1)
            case ast.Subscript(value=value) if dotted(value).rsplit(".", 1)[-1] in _ARGUMENTS:
                return Origin.GIVEN
            case ast.Attribute(value=first, attr="parent"):
                return self._of(first, scope, steps - 1)
            case ast.Name() | ast.Attribute():
                return self._of_name(dotted(node), node.lineno, scope, steps - 1)
        return Origin.UNKNOWN

    def _of_call(self, call: ast.Call, scope: Owner, steps: int) -> Origin:
        called = dotted(call.func)
        last = called.rsplit(".", 1)[-1]
        if last in _CANONICAL:
            return Origin.UNKNOWN if last == "resolve" and call.args else Origin.CANONICAL
        if last in _ABSOLUTE:
            return Origin.ABSOLUTE
        if last in ("getenv", "input") or called.endswith("environ.get"):
            return Origin.GIVEN
        first = first_part(call) if last in _KEEPS else None
        return self._of(first, scope, steps) if first else Origin.UNKNOWN

    def _of_name(self, name: str, line: int, scope: Owner, steps: int) -> Origin:
        values, found = self.values(name, scope)
        if len(values) > _MANY:
            return Origin.UNKNOWN
        origins = {self._of(v.node, found, steps) if v.node else Origin.UNKNOWN for v in values}
        if name in self._parameters.get(found, ()) and not any(v.always and v.line < line for v in values):
            origins.add(Origin.PARAMETER)
        if not origins and name.split(".")[0] in _ARGUMENTS:
            return Origin.UNKNOWN if name.split(".")[-1] in self._typed else Origin.GIVEN
        return origins.pop() if len(origins) == 1 else Origin.UNKNOWN

    def values(self, name: str, scope: Owner) -> tuple[list[Value], Owner]:
        """What a name is set to, and in which scope; nothing for a parameter that is left as it is."""
        if "." in name:
            return self._values.get((None, name), []), scope
        while True:
            if found := self._values.get((scope, name)):
                return found, scope
            if scope not in self._around or name in self._parameters.get(scope, ()):
                return [], scope
            scope = self._around[scope]


def expressions(node: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement, those of the statements in it left out."""
    yield from (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))


def first_part(call: ast.Call) -> ast.expr | None:
    """What `str(x)`, `os.path.join(x, …)` and `x.joinpath(…)` begin with."""
    if isinstance(call.func, ast.Attribute) and dotted(call.func.value) not in _MODULES:
        return call.func.value
    return call.args[0] if call.args else None


def _typed(call: ast.Call) -> Iterator[str]:
    """The argument that `add_argument("--out", type=resolved)` adds, where its type may resolve it."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    kind, dest = given.get("type"), given.get("dest")
    if kind is None or dotted(kind).rsplit(".", 1)[-1] in _PLAIN_TYPES:
        return
    flags = [dest] if dest else call.args
    for flag in flags:
        if isinstance(flag, ast.Constant) and isinstance(flag.value, str):
            yield flag.value.lstrip("-").replace("-", "_")


def _parameters(scope: ast.ClassDef | _Function) -> set[str]:
    if isinstance(scope, ast.ClassDef):
        return set()
    a = scope.args
    return {p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs)}
