"""An `assert` that does a verifier's work: `python -O` compiles it away and the check passes.

The names that make a function a verifier, and the shapes that do not count, were measured on
8,595 public files: 24 of 24 sampled hits were right once `checkpoint` and `gated` were left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reviewbot.core.types import Claim, Edit, Grade, Severity
from reviewbot.detectors.assert_in_verifier.examples import BAD, GOOD
from reviewbot.detectors.contract import Detector, Hit, Word
from reviewbot.detectors.python import PythonFile

# Spellings that only look like it are kept out: checkpoint, checkout, gated, gate_proj, aggregate,
# disparity, and the validation_step and validation_loss of a training loop, which measure and do not verify.
_VERIFIER = re.compile(
    r"verif|validat(?!ion_?(?:step|epoch|loop|loader|data|set|loss|split|start|end))|check(?!point|out)"
    r"|sanity|audit|(?<![a-z])gate(?!d|_)|compare|ensure|assert_|(?<!dis)parity",
    re.IGNORECASE,
)
_TEST_FILE = re.compile(
    r"(^|/)(tests?|testing|unit_tests?)/|(^|/)(test_[^/]*|[^/]*_tests?|conftest|testing)\.pyi?$"
)
_ASSERT_LINE = r"^\s*assert\b"
_MAX_EDIT = 20  # lines; nobody reads a longer suggestion

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_BARE = (ast.Compare, ast.Call, ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp, ast.Await)
_INVERSE: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.In: ("in", "not in"),
    ast.Is: ("is", "is not"),
}


@dataclass(slots=True)
class _Verifier:
    """A function, or the module level of a script, and the asserts that do its work."""

    name: str
    asserts: list[ast.Assert] = field(default_factory=list)


def find(file: PythonFile) -> Iterator[Hit]:
    if _TEST_FILE.search(file.path) or not _names_a_verifier(file):
        return
    if found := [v for v in _verifiers(file) if v.asserts]:
        source = _Source(file)
        yield from (_hit(source, v) for v in sorted(found, key=lambda v: v.asserts[0].lineno))


def _names_a_verifier(file: PythonFile) -> bool:
    """Asked of the text, because parsing costs 20 times as much and most modules have no verifier."""
    names = re.finditer(r"\bdef[ \t]+(\w+)", file.text.content)
    return bool(_VERIFIER.search(_script(file))) or any(_VERIFIER.search(name[1]) for name in names)


def _script(file: PythonFile) -> str:
    return file.path.rsplit("/", 1)[-1].removesuffix(".py")


def _verifiers(file: PythonFile) -> list[_Verifier]:
    """The verifiers of a module; a nested function belongs to the one around it."""
    script = _Verifier(_script(file))
    runs = bool(_VERIFIER.search(script.name)) and any(map(_is_main_guard, file.tree.body))
    found = [script]
    stack: list[tuple[ast.AST, _Verifier | None]] = [
        (statement, script if runs else None) for statement in reversed(file.tree.body)
    ]
    while stack:  # no recursion: reviewed code nests as deep as it likes
        node, owner = stack.pop()
        if isinstance(node, ast.Assert) and owner and not _narrows(node.test):
            owner.asserts.append(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name.startswith("test"):
                continue
            if owner is script or _VERIFIER.search(node.name):
                owner = _Verifier(node.name)
                found.append(owner)
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            continue
        stack += [
            (child, owner) for block in reversed(_BLOCKS) for child in reversed(getattr(node, block, ()))
        ]
    return found


def _is_main_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and any(
        isinstance(part, ast.Name) and part.id == "__name__" for part in ast.iter_child_nodes(node.test)
    )


def _narrows(test: ast.expr) -> bool:
    """Whether the assertion only tells a type checker what a name holds."""
    match test:
        case ast.BoolOp(values=values):
            return all(map(_narrows, values))
        case ast.Call(func=ast.Name(id="isinstance")):
            return True
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
    return False


class _Source:
    """The text of a module by the places of its nodes; columns of `ast` are UTF-8 bytes."""

    def __init__(self, file: PythonFile) -> None:
        self.path = file.path
        self.has_mark = file.text.content.startswith("\ufeff")
        self.lines = [
            line.removeprefix("\ufeff") if i == 0 else line for i, line in enumerate(file.text.lines)
        ]
        starts = re.compile(_ASSERT_LINE)
        self.count = sum(bool(starts.search(line)) for line in file.text.lines)

    def of(self, node: ast.expr) -> str:
        """The node's own text, or "" where it takes more than one line."""
        if node.end_lineno != node.lineno:
            return ""
        return self.cut(node.lineno, node.col_offset, node.end_col_offset)

    def cut(self, line: int, start: int, end: int | None = None) -> str:
        return self.lines[line - 1].encode()[start:end].decode()


def _hit(source: _Source, verifier: _Verifier) -> Hit:
    first, *others = verifier.asserts
    what = f"`{_shown('assert ' + (source.of(first.test) or '…'))}`"
    many = f" and {len(others)} more" if others else ""
    guard = _shown(_guard(source, first.test))
    return Hit(
        first.lineno,
        first.end_lineno or first.lineno,
        failure=f"`python -O` (or PYTHONOPTIMIZE=1) deletes {what}{many}: `{verifier.name}` then lets "
        "through what it is there to stop.",
        cost="A wrong artifact or number is certified as checked, and no log line tells.",
        fix=f"`{guard}` with `raise AssertionError(…)` below it: no flag deletes that, "
        "and callers see the same exception.",
        grade=Grade.STRONG,
        also=tuple((a.lineno, a.end_lineno or a.lineno) for a in others),
        edit=_edit(source, verifier.asserts),
        claims=(_claim(source),),
    )


def _claim(source: _Source) -> Claim:
    text = "Lines of this file start with `assert`"
    return Claim("count", text, source.path, _ASSERT_LINE, expected=source.count)


def _shown(code: str) -> str:
    code = code.replace("`", "'")
    return code if len(code) <= 80 else code[:79].rstrip() + "…"


# --- the edit ---------------------------------------------------------------------------


def _edit(source: _Source, asserts: Sequence[ast.Assert]) -> Edit | None:
    """All asserts of the verifier as `if …: raise`, or nothing: one left behind and the finding stays."""
    start, end = asserts[0].lineno, asserts[-1].end_lineno or asserts[-1].lineno
    if end - start >= _MAX_EDIT or source.has_mark:
        return None
    lines: list[str] = []
    at = start
    for node in asserts:
        rewritten = _rewritten(source, node)
        if not rewritten:
            return None
        lines += [*source.lines[at - 1 : node.lineno - 1], *rewritten]
        at = (node.end_lineno or node.lineno) + 1
    return Edit(start, end, "\n".join(lines))


def _rewritten(source: _Source, node: ast.Assert) -> list[str]:
    """The lines for one assert; empty where it shares its line, or holds what would get lost."""
    end = node.end_lineno or node.lineno
    indent = source.cut(node.lineno, 0, node.col_offset)
    tail = source.cut(end, node.end_col_offset or 0).strip()
    if (
        indent.strip()
        or (tail and not tail.startswith("#"))
        or isinstance(node.msg, ast.Yield | ast.YieldFrom)
    ):
        return []
    if end > node.lineno and any("#" in line for line in source.lines[node.lineno - 1 : end]):
        return []  # a comment between the parentheses
    condition = source.of(node.test)
    message = source.of(node.msg) if node.msg else _literal(f"does not hold: {condition}")
    if not condition or not message:
        return []
    deeper = indent + ("\t" if "\t" in indent else "    ")
    comment = f"  {tail}" if tail else ""
    return [f"{indent}{_guard(source, node.test)}{comment}", f"{deeper}raise AssertionError({message})"]


def _guard(source: _Source, test: ast.expr) -> str:
    """The `if` line that is true where the assertion fails. `<` is never turned into `>=`: NaN fails both."""
    condition = source.of(test)
    if not condition:
        return "if not …:"
    match test:
        case ast.UnaryOp(op=ast.Not()):
            return f"if {condition.removeprefix('not').lstrip()}:"
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _INVERSE:
            sign, inverse = _INVERSE[type(op)]
            if condition == f"{source.of(left)} {sign} {source.of(right)}":  # no parentheses to lose
                return f"if {source.of(left)} {inverse} {source.of(right)}:"
    return f"if not {condition}:" if isinstance(test, _BARE) else f"if not ({condition}):"


def _literal(text: str) -> str:
    return repr(text) if '"' in text or "\\" in text else f'"{text}"'


DETECTOR = Detector(
    id="assert-in-verifier",
    summary="an `assert` decides in a function whose name promises a check; `python -O` deletes it",
    finders={"python": find},
    words=(
        Word(r"`?\bassert`?s? (?:statements? )?in (?:an? |the )?(?:verif|validat|check|gate|audit)", 2),
        Word(r"\bassert`?s?(?: statements?)? (?:used )?(?:as|for) (?:an? )?(?:validat|check|verif)", 2),
        Word(r"python3? -O\b|PYTHONOPTIMIZE", 2),
        Word(r"`assert`", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={"python": ("assert",)},
    ceiling=Severity.NOTE,
)
