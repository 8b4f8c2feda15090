"""Which function or class a line stands in, told cheaply: by Python's own parser, else by indentation."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from reviewbot.core.language import language
from reviewbot.core.types import Text

_SIGNATURE = 8  # lines of a signature that are shown
_DEEPEST = 20  # functions in functions; what is deeper counts to the one around it
_DEFINING = frozenset(
    (
        "def",
        "function",
        "func",
        "fn",
        "fun",
        "class",
        "struct",
        "interface",
        "impl",
        "trait",
        "module",
        "enum",
    )
)
_CONTROL = ("if", "for", "while", "switch", "catch", "else", "do", "try", "return", "}", "case", "until")
_CLOSING = ("}", ")", "]", "end", "fi", "{")
# Languages whose blocks are indented and begin with a line that says so.
_INDENTED = (
    *(".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".go", ".rs", ".java", ".kt", ".kts", ".c", ".h", ".cc"),
    *(
        ".cpp",
        ".cxx",
        ".hpp",
        ".cu",
        ".cuh",
        ".cs",
        ".rb",
        ".php",
        ".swift",
        ".scala",
        ".lua",
        ".dart",
        ".pl",
    ),
)


class Span(NamedTuple):
    """A function or class; its signature, decorators included, are the lines `start`..`signature`."""

    start: int
    signature: int
    end: int

    @property
    def lines(self) -> int:
        return self.end - self.start + 1


def spans(text: Text) -> tuple[Span, ...]:
    """All functions and classes, outer ones first. Empty for a language that is not known, and where only
    hunks are."""
    kind = language(text.path, text.first_line)
    if text.partial or not (kind in ("python", "shell") or text.path.endswith(_INDENTED)):
        return ()
    if kind == "python":
        try:
            return tuple(sorted(_python(text)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass  # it does not parse: its indentation still says something
    return tuple(sorted(_indented(text.lines)))


def _python(text: Text) -> Iterator[Span]:
    source = re.sub(r"\r(?!\n)", " ", text.content.removeprefix("\ufeff"))  # git ends no line there
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes in reviewed code are not our warnings
        waiting: list[ast.AST] = [ast.parse(source)]
    for node in waiting:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            start = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            last = max(node.body[0].lineno - 1, node.lineno)
            yield Span(start, min(last, start + _SIGNATURE - 1), node.end_lineno or last)
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            below = getattr(node, field, ())
            waiting += below if isinstance(below, list) else ()


def _indented(lines: tuple[str, ...]) -> Iterator[Span]:
    """Each stretch that begins with a defining line and is indented further than it."""
    open_: list[tuple[int, int]] = []  # line and indentation of what is not closed yet
    last = 0  # the last line that is not blank
    for number, line in enumerate(lines, 1):
        words = line.lstrip()
        if not words:
            continue
        indent = len(line) - len(words)
        while open_ and indent <= open_[-1][1]:
            closes = indent == open_[-1][1] and words.startswith(_CLOSING)
            start, _ = open_.pop()
            yield Span(start, start, number if closes else last)
        last = number
        if len(open_) < _DEEPEST and _defines(words):
            open_.append((number, indent))
    for start, _ in open_:
        yield Span(start, start, last)


def _defines(words: str) -> bool:
    first = words[:200].split(maxsplit=5)[:5]
    if first[0].startswith(_CONTROL) and not _DEFINING.intersection(first[:1]):
        return False
    opens = words.rstrip().endswith("{") and "(" in words and ";" not in words
    return opens or not _DEFINING.isdisjoint(first)
