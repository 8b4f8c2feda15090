"""Python: a condition that says the data are not what the code assumes, and only a warning follows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from reviewbot.core.types import Grade
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile

_BROKEN = re.compile(
    r"mis-?match|(?:do(?:es)?|did|can)(?: ?not|n't) (?:match|agree|equal)|not (?:equal|match|consistent)"
    r"|inconsistent|corrupt|unequal|not a multiple|(?:not |in)divisible|different (?:number|len|size|shape)"
    r"|expected\b.{0,60}\b(?:but|got|found)\b"
    r"|(?:unexpected|incorrect) (?:number|shape|size|length|count|dtype|keys)",
    re.I,
)
# The case is handled, or the line only gives advice.
_HANDLED = re.compile(
    r"fall(?:ing|s)?[ -]?back|instead|default|ignor|skip|truncat|padd|disabl|overrid|overwrit|adjust|automat"
    r"|deprecat|version|recommend|slow|performance|efficien|consider|resiz|crop|reset|setting|replac|convert"
    r"|will use|using|retry|random|initiali[sz]|download|re-?comput|dropp|discard|remov|clamp|capp|round"
    r"|may indicate|possibl|potential",
    re.I,
)
_TELLS = re.compile(
    r"(?:^|\.|_)(?:warn|warning|warn_once|warning_once|error|critical|rank_zero_warn|log)$|^print$", re.I
)
_ALARMS = re.compile(r"warn|error|critical", re.I)
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def find_python(file: PythonFile) -> Iterator[Hit]:
    if file.is_test:
        return
    for node, follows in _decisions(file.tree):
        if follows and not node.orelse and _doubts(node.test):
            message = _only_warns(node.body)
            if _BROKEN.search(message) and not _HANDLED.search(message):
                yield _hit(node)


def _decisions(tree: ast.Module) -> Iterator[tuple[ast.If, bool]]:
    """Every `if` in the order of the text, and whether anything is done behind it."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, follows = waiting.pop()
        if isinstance(node, ast.If):
            yield node, follows
        for block in reversed(_BLOCKS):
            children = getattr(node, block, ())
            # What stands last in a branch is followed by what stands behind the branch.
            on = follows and isinstance(node, ast.If | ast.With | ast.Try)
            for at in range(len(children) - 1, -1, -1):
                waiting.append((children[at], on or at + 1 < len(children)))


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
        called = ast.unparse(statement.value.func)
        text = " ".join(
            part.value
            for part in ast.walk(statement.value)
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
        )
        if not _TELLS.search(called) or not _ALARMS.search(f"{called} {text}"):
            return ""
        texts.append(text)
    return " ".join(texts)


def _hit(node: ast.If) -> Hit:
    condition = ast.unparse(node.test).replace("`", "'")
    condition = condition if len(condition) <= 60 else condition[:59] + "…"
    return Hit(
        node.lineno,
        node.body[-1].end_lineno or node.lineno,
        failure=f"When `{condition}` holds, what the code behind it assumes is broken; it is logged, and the "
        "code goes on with it.",
        cost="An artifact or a number that is wrong, and a line in a long log that says so.",
        fix="`raise` with both values, or handle the case.",
        grade=Grade.HINT,
    )
