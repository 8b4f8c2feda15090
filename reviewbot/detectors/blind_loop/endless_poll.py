"""Python's forms of a blind loop: a poll with no limit, and rounds that nobody measures. Both are hints."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile

# What another thread, a signal or a child of this program will certainly change.
_OWN_STATE = pattern(
    r"is_set|stop|cancel|shut|clos|done|finish|alive|poll|exit|quit|empty|running|should|terminat|complete",
    re.I,
)
_QUEUES = pattern(r"schedul|queue|(?<![a-z])(?:turn|slot|lease|lock)", re.I)  # waits its turn, however long
_SLEEPS = pattern(r"(?:^|\.)sleep$")
_TALKS = pattern(
    r"^(?:print|len|str|int|range|time|datetime|sys|os\.path)\b|log|warn|info|debug|write|flush|update", re.I
)
_ROUNDS = pattern(r"rounds|retries|attempts|passes", re.I)
_PUSHES = pattern(
    r"^(?:requests|httpx|urllib|subprocess|os\.system|session|client)\b|push|send|upload|submit|\.post$|\.put$",
    re.I,
)
_MEASURES = pattern(
    r"size|stat|len|count|total|glob|listdir|usage|exists|check|assert|verify|raise_for"
    r"|(?:^|\.)(?:time|perf_counter|monotonic|process_time)(?:_ns)?$",
    re.I,
)
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def find_python(file: PythonFile) -> Iterator[Hit]:
    for loop in _loops(file.tree):
        if isinstance(loop, ast.While):
            call = _waited_for(loop.test)
            if call and not (_OWN_STATE.search(call) or _QUEUES.search(call)) and _only_sleeps(loop):
                yield _poll(loop, call)
        elif _is_blind(loop):
            yield _rounds(loop)


def _loops(tree: ast.Module) -> list[ast.While | ast.For]:
    """Every `while` and `for` in the order of the text; expressions are not walked."""
    found: list[ast.While | ast.For] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.While | ast.For):
            found.append(node)
        waiting += [child for block in reversed(_BLOCKS) for child in reversed(getattr(node, block, ()))]
    return found


def _waited_for(test: ast.expr) -> str:
    """The name of what a `while` asks until it says yes: `not ready()`, `probe(url) != 200`; else ""."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call() as call):
            return _dotted(call.func)
        case ast.Compare(ops=[ast.NotEq() | ast.IsNot()], left=left):
            asked = next((n for n in ast.walk(left) if isinstance(n, ast.Call)), None)
            return _dotted(asked.func) if asked else ""
    return ""


def _only_sleeps(loop: ast.While) -> bool:
    """Whether the body sleeps, talks, and does nothing that could end the loop."""
    inside = [n for statement in loop.body for n in ast.walk(statement)]
    if any(isinstance(n, ast.Break | ast.Return | ast.Raise | ast.Assert | ast.Yield) for n in inside):
        return False
    calls = [_dotted(n.func) for n in inside if isinstance(n, ast.Call)]
    return any(map(_SLEEPS.search, calls)) and all(_SLEEPS.search(c) or _TALKS.search(c) for c in calls)


def _is_blind(loop: ast.For) -> bool:
    """`for _ in range(rounds)` that pushes something and never looks at what has arrived."""
    match loop.iter:
        case ast.Call(func=ast.Name(id="range"), args=[*_, ast.Name(id=name) | ast.Attribute(attr=name)]):
            if not _ROUNDS.search(name):
                return False
        case _:
            return False
    inside = [n for statement in loop.body for n in ast.walk(statement)]
    if any(isinstance(n, ast.Break | ast.Return | ast.Raise | ast.Assert | ast.Yield) for n in inside):
        return False
    calls = [_dotted(n.func) for n in inside if isinstance(n, ast.Call)]
    return any(map(_PUSHES.search, calls)) and not any(map(_MEASURES.search, calls))


def _dotted(node: ast.expr) -> str:
    """`requests.Session().get` -> "requests.Session.get": names and attributes, outermost last."""
    parts: list[str] = []
    while True:
        match node:
            case ast.Attribute(value=value, attr=attr):
                parts.append(attr)
                node = value
            case ast.Call(func=func):
                node = func
            case ast.Name(id=name):
                parts.append(name)
                return ".".join(reversed(parts))
            case _:
                return ".".join(reversed(parts))


def _poll(loop: ast.While, call: str) -> Hit:
    return Hit(
        loop.lineno,
        loop.lineno,
        failure=f"The only way out is the answer of `{call}`: no deadline, and no look at a process. "
        "If it never comes, this loop sleeps and asks again for ever.",
        cost="What was waited for is dead, and whoever waits here hangs.",
        fix="`deadline = time.monotonic() + 1800` before the loop, and in it "
        "`if time.monotonic() > deadline: raise TimeoutError(…)`.",
        grade=Grade.HINT,
    )


def _rounds(loop: ast.For) -> Hit:
    return Hit(
        loop.lineno,
        loop.lineno,
        failure="Every round runs whatever the one before has achieved: no round is measured, "
        "none can end the loop.",
        cost="If nothing arrives, all rounds are spent on it, and the log looks like work.",
        fix="Compare a size or a count before and after each round, and `raise` when it has not grown.",
        grade=Grade.HINT,
    )
