"""Python: a condition that says the data are not what the code assumes, and only a warning follows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile, dotted
from reviewbot.detectors.warn_and_continue.settled import Behind, Place, settled

_BROKEN = pattern(
    r"mis-?match|(?:do(?:es)?|did|can)(?: ?not|n't) (?:match|agree|equal)|not (?:equal|match|consistent)"
    r"|inconsistent|corrupt|unequal|not a multiple|(?:not |in)divisible|different (?:number|len|size|shape)"
    r"|expected\b.{0,60}\b(?:but|got|found)\b"
    r"|(?:unexpected|incorrect) (?:number|shape|size|length|count|dtype|keys)",
    re.I,
)
# The case is handled, or the line only gives advice.
_HANDLED = pattern(
    r"fall(?:ing|s)?[ -]?back|instead|default|ignor|skip|truncat|padd|disabl|overrid|overwrit|adjust|automat"
    r"|deprecat|version|recommend|slow|performance|efficien|consider|resiz|crop|reset|setting|replac|convert"
    r"|will use|using|retry|random|initiali[sz]|download|re-?comput|dropp|discard|remov|clamp|capp|round"
    r"|may indicate|possibl|potential|\bproceed|continu\w* (?:with|on|using)\b",
    re.I,
)
_TELLS = pattern(
    r"(?:^|\.|_)(?:warn|warning|warn_once|warning_once|error|critical|rank_zero_warn|log)$|^print$", re.I
)
_ALARMS = pattern(r"warn|error|critical", re.I)
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def find_python(file: PythonFile) -> Iterator[Hit]:
    if file.is_test:
        return
    first: ast.If | None = None
    last: Place | None = None
    also: list[tuple[int, int]] = []
    for place in _decisions(file.tree):
        node = place.node
        if node.orelse or not place.behind or not _doubts(node.test):
            continue
        message = _only_warns(node.body)
        if not _BROKEN.search(message) or _HANDLED.search(message) or settled(place, file.text):
            continue
        if first and last and place.block is last.block and place.at == last.at + 1:
            also.append(_lines(node))  # the next `if` of a row of checks: one cause
        else:
            if first:
                yield _hit(file, first, also)
            first, also = node, []
        last = place
    if first:
        yield _hit(file, first, also)


def _decisions(tree: ast.Module) -> Iterator[Place]:
    """Every `if` in the order of the text."""
    waiting: list[tuple[ast.AST, Sequence[ast.stmt], int, Behind | None]] = [(tree, (), 0, None)]
    while waiting:
        node, around, index, behind = waiting.pop()
        if isinstance(node, ast.If):
            yield Place(node, around, index, behind)
        # What stands last in a branch is followed by what stands behind the branch.
        out = (
            behind
            if isinstance(node, ast.If | ast.With | ast.Try | ast.ExceptHandler | ast.match_case)
            else None
        )
        for name in reversed(_BLOCKS):
            block = getattr(node, name, ())
            for at in range(len(block) - 1, -1, -1):
                more = at + 1 < len(block) and name not in ("handlers", "cases")
                waiting.append((block[at], block, at, Behind(block, at + 1, out) if more else out))


def _doubts(test: ast.expr) -> bool:
    """Whether a condition compares; a flag or the absence of a thing is no broken assumption."""
    return any(
        isinstance(node, ast.Compare)
        and not any(isinstance(c, ast.Constant) and c.value is None for c in node.comparators)
        for node in ast.walk(test)
    )


def _only_warns(body: Sequence[ast.stmt]) -> str:
    """The text of the warnings that a branch consists of; "" where it does anything else."""
    texts = []
    for statement in body:
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
            return ""
        called = dotted(statement.value.func)
        text = " ".join(
            part.value
            for part in ast.walk(statement.value)
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
        )
        if not _TELLS.search(called) or not _ALARMS.search(f"{called} {text}"):
            return ""
        texts.append(text)
    return " ".join(texts)


def _lines(node: ast.If) -> tuple[int, int]:
    return node.lineno, node.body[-1].end_lineno or node.lineno


def _hit(file: PythonFile, node: ast.If, also: Sequence[tuple[int, int]]) -> Hit:
    return Hit(
        *_lines(node),
        failure=f"When `{file.written(node.test)}` holds, what the code behind it assumes is broken; it is "
        "logged, and the code goes on with it.",
        cost="An artifact or a number that is wrong, and a line in a long log that says so.",
        fix="`raise` with both values, or handle the case.",
        grade=Grade.HINT,
        also=tuple(also),
    )
