"""Python: a path guard that a link, a relative spelling or a sibling folder gets past."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.path_compared_as_string.origins import (
    Origin,
    Origins,
    Owner,
    expressions,
    first_part,
)
from reviewbot.detectors.python import PythonFile, dotted

_COMPARES = pattern(r"\.startswith\(|[!=]=")
_NORMALISES = pattern(r"realpath\(|abspath\(|\.resolve\(|startswith\(str\(")
_PATH = pattern(r"(?:^|_|\.)(?:path|file|filename|dir|directory|folder|root|target|dest|dst|src)$", re.I)
_FOLDER = pattern(r"(?:^|_|\.)(?:dir|directory|folder|root|workspace|sandbox)(?:_|$)", re.I)
_NO_PLACE = pattern(r"merkle|hash|digest|state_?root", re.I)  # the root of a tree of numbers
_GUARDS = pattern(r"(?:^|_)(?:safe|allowed|permitted|trusted|within|inside|contained)(?:_|$)", re.I)
_SOURCE = pattern(r"co_filename|__file__|frame")  # whose code runs is asked for a log, and guards nothing
_EXITS = ("exit", "_exit", "abort")
_NORMAL = (Origin.CANONICAL, Origin.ABSOLUTE)
_ORDER = tuple(Origin)
# A parameter may have been resolved by the caller, and an absolute path is often enough there.
_UNEVEN = {
    (Origin.CANONICAL, Origin.GIVEN): Grade.STRONG,
    (Origin.ABSOLUTE, Origin.GIVEN): Grade.STRONG,
    (Origin.CANONICAL, Origin.PARAMETER): Grade.HINT,
}
_STEPS = 3  # from a name to the text that it was set to


def find_python(file: PythonFile) -> Iterator[Hit]:
    content = file.text.content
    if file.is_test or not (_NORMALISES.search(content) and _COMPARES.search(content)):
        return
    lines = [n for n, line in enumerate(file.text.lines, 1) if _COMPARES.search(line)]
    yield from sorted(_Guards(file, Origins(file.tree), lines).hits(), key=lambda hit: hit.start_line)


class _Guards:
    """`lines`: those on which something is compared, in order; expressions elsewhere are not walked."""

    def __init__(self, file: PythonFile, origins: Origins, lines: Sequence[int]) -> None:
        self._shown = file.written
        self._origins = origins
        self._lines = lines

    @cached_property
    def _refusing(self) -> frozenset[str]:
        """The functions by whose answer the module raises or ends: `if not in_root(p): raise …`."""
        tests = (n.test for n, _ in self._origins.statements if isinstance(n, ast.If) and _refuses(n))
        calls = (part.func for test in tests for part in ast.walk(test) if isinstance(part, ast.Call))
        return frozenset(dotted(func).rsplit(".", 1)[-1] for func in calls)

    def _answers_for(self, scope: Owner) -> Grade | None:
        """How surely what a function returns decides about more than a word in a log."""
        if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        if scope.name in self._refusing:
            return Grade.STRONG
        return Grade.HINT if _GUARDS.search(scope.name) else None

    def hits(self) -> Iterator[Hit]:
        for node, scope in self._origins.statements:
            for asked in expressions(node):
                at = bisect_left(self._lines, asked.lineno)
                if at == len(self._lines) or self._lines[at] > (asked.end_lineno or asked.lineno):
                    continue
                for part in ast.walk(asked):
                    if isinstance(part, ast.Compare):
                        yield from self._uneven(part, scope)
                if isinstance(node, ast.If) and asked is node.test:
                    yield from self._prefixes(asked, scope, _leaves(node.body), _leaves(node.orelse))
                elif isinstance(node, ast.Return) and (effect := self._answers_for(scope)):
                    yield from self._prefixes(asked, scope, effect, effect)

    def _uneven(self, node: ast.Compare, scope: Owner) -> Iterator[Hit]:
        """`==` of a path that was resolved and one that was not."""
        if len(node.ops) > 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
            return
        sides = [(self._origins.of(side, scope), side) for side in (node.left, *node.comparators)]
        sides.sort(key=lambda side: _ORDER.index(side[0]))
        (origin, resolved), (other, raw) = sides
        if (origin, other) in _UNEVEN and self._unresolved(resolved, scope) != _path(raw):
            yield _hit(
                node, _UNEVEN[origin, other], *_uneven_words(self._shown(resolved), self._shown(raw), other)
            )

    def _unresolved(self, node: ast.expr, scope: Owner) -> str:
        """The name of what was resolved: asked to be equal to it, a path is asked if it is canonical."""
        values = self._origins.values(dotted(node), scope)[0]
        return _path(values[0].node if len(values) == 1 and values[0].node else node)

    def _prefixes(
        self, test: ast.expr, scope: Owner, refused: Grade | None, passed: Grade | None
    ) -> Iterator[Hit]:
        """`startswith` as the guard of a folder, where a separator behind its name is missing."""
        if _asks_for_separator(test):
            return
        for call, text, base, negated in _starts(test):
            effect = refused if negated else passed
            if effect and (grade := self._grade(text, base, effect, scope)):
                yield _hit(call, grade, *_prefix_words(self._shown(text), self._shown(base)))

    def _grade(self, text: ast.expr, base: ast.expr, effect: Grade, scope: Owner) -> Grade | None:
        """`effect` where both are paths and the second ends in no separator; None: no paths, or it may."""
        if self._ends_in_separator(base, scope):
            return None
        if _SOURCE.search(self._shown(text)):
            return None
        if any(_NO_PLACE.search(_path(part)) for part in (text, base)):
            return None
        known = self._origins.of(text, scope) in _NORMAL
        named = known or _PATH.search(_path(text))
        if isinstance(base, ast.Constant):
            return effect if known and re.match(r"/\w", str(base.value)) else None
        if self._origins.of(base, scope) in _NORMAL:  # these cut a separator off the end
            return effect if named else None
        if not (named and _FOLDER.search(_path(base))):
            return None
        cut_off = isinstance(base, ast.Call) and dotted(base.func) in ("str", "os.fspath")
        return effect if cut_off else Grade.HINT

    def _ends_in_separator(self, node: ast.expr, scope: Owner, steps: int = _STEPS) -> bool:
        match node:
            case ast.Constant(value=str(text)):
                return text.endswith(("/", "\\"))
            case ast.BinOp(op=ast.Add(), right=last) | ast.FormattedValue(value=last):
                return self._ends_in_separator(last, scope, steps)
            case ast.JoinedStr(values=[*_, last]):
                return self._ends_in_separator(last, scope, steps)
            case ast.Call(args=[_, *_, ast.Constant(value="")]):
                return True  # os.path.join(root, "")
            case ast.Tuple():
                return True
            case ast.Name() | ast.Attribute():
                name = dotted(node)
                if name.rsplit(".", 1)[-1] == "sep":
                    return True
                values, found = self._origins.values(name, scope) if steps else ([], scope)
                return any(
                    v.node is None or self._ends_in_separator(v.node, found, steps - 1)
                    for v in values[:_STEPS]
                )
        return False


def _starts(test: ast.expr) -> Iterator[tuple[ast.Call, ast.expr, ast.expr, bool]]:
    """Each `x.startswith(y)` that a condition asks, with x, y, and whether it asks for the opposite."""
    waiting = [(test, False)]
    while waiting:
        node, negated = waiting.pop()
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                waiting.append((operand, not negated))
            case ast.BoolOp(values=values):
                waiting += [(value, negated) for value in values]
            case ast.Call(func=ast.Attribute(value=text, attr="startswith"), args=[base]):
                yield node, text, base, negated


def _asks_for_separator(test: ast.expr) -> bool:
    """`… or p[len(root)] != os.sep`: the name of the folder is looked behind elsewhere."""
    return any(
        (isinstance(n, ast.Attribute) and n.attr in ("sep", "is_relative_to", "commonpath"))
        or (isinstance(n, ast.Constant) and n.value in ("/", "\\", ".."))
        for n in ast.walk(test)
    )


def _leaves(block: Iterable[ast.stmt]) -> Grade | None:
    """How surely a branch refuses: STRONG where it raises or ends the program, HINT where it returns."""
    for statement in block:
        match statement:
            case ast.Raise():
                return Grade.STRONG
            case ast.Expr(value=ast.Call(func=func)) if dotted(func).rsplit(".", 1)[-1] in _EXITS:
                return Grade.STRONG
            case ast.Return():
                return Grade.HINT
    return None


def _refuses(node: ast.If) -> bool:
    return Grade.STRONG in (_leaves(node.body), _leaves(node.orelse))


def _path(node: ast.expr) -> str:
    """The dotted name that a path begins with: `str(Path(args.out).resolve())` -> "args.out"."""
    for _ in range(6):
        if not isinstance(node, ast.Call):
            break
        inner = first_part(node)
        if inner is None:
            break
        node = inner
    return dotted(node)


def _uneven_words(resolved: str, raw: str, origin: Origin) -> tuple[str, str, str]:
    whose = "as it was typed" if origin is Origin.GIVEN else "as the caller gave it"
    return (
        f"`{resolved}` is resolved and `{raw}` is compared {whose}: a relative spelling, a `..` or a link in "
        "it, and two names of one place are unequal.",
        "A guard that never fires: the source is overwritten, or work is done on the path it should refuse.",
        "Resolve both sides (`Path.resolve()`, `os.path.realpath`), or ask `os.path.samefile`.",
    )


def _prefix_words(path: str, base: str) -> tuple[str, str, str]:
    return (
        f"`{path}` is compared by `startswith({base})` without a separator: with `/data/run` as that folder, "
        "`/data/run-old/x` passes as a path inside it.",
        "What the guard keeps apart is read, overwritten or deleted all the same.",
        f"`Path(…).resolve().is_relative_to(…)`, or `{base} + os.sep`, with both sides resolved first.",
    )


def _hit(node: ast.expr, grade: Grade, failure: str, cost: str, fix: str) -> Hit:
    return Hit(node.lineno, node.end_lineno or node.lineno, failure, cost, fix, grade)
