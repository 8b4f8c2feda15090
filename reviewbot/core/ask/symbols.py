"""Where a symbol is defined and where it is used, told by its lines alone, in any language."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.ports import SEARCHED
from reviewbot.core.types import Side

LOOKED = 400  # characters of a line, in which a definition is looked for

Row = tuple[str, int, str]  # path, line, text
Search = Callable[[Side, str], Sequence[Row]]  # the lines of a tree that hold a text

_NAME = pattern(r"[^\W\d][\w-]*")
_KEYWORDS = (
    r"def|class|func|function|fn|struct|enum|union|interface|trait|protocol|object|module|mod|namespace|type"
    r"|typedef|record|const|static|let|var|val|macro_rules!|#\s*define|sub|proc|defun|defn|defmacro|local"
    r"|readonly|declare|export|typeset|alias|impl"
)
# Words that may stand in front of a call, and are no type in front of a definition.
_NO_TYPE = (
    r"return|else|elif|await|yield|throw|raise|new|delete|case|goto|echo|exec|eval|print|assert|import|from"
    r"|not|and|or|in|if|unless|while|until|for|do|then|with|except|lambda|time|sudo|go|defer"
)
# A line that is one altogether. `#define`, `#if` and `#[derive]` are none.
_COMMENT = pattern(
    r"\s*+(?:#(?!\s*define\b|[\[!]|(?:if|ifdef|ifndef|elif|include|undef|pragma)\b)|//|/\*|\*(?:\s|$)|--\s|<!--|;;|;\s)"
)


class Places(NamedTuple):
    """Lines by path. `cut`: there are more lines with the name than were looked at."""

    rows: tuple[Row, ...]
    cut: bool


def name_of(symbol: str) -> str:
    """The last part of `Class.method`, `pkg::fn` or `obj->f`; "" for what is no name."""
    last = re.split(r"\.|::|->|#", symbol.strip().removesuffix("()"))[-1]
    return last if _NAME.fullmatch(last) else ""


def defines(name: str, line: str) -> bool:
    """Whether a line, which is no comment, defines the symbol."""
    return _is_code(name, line) and bool(_definition(name).search(line[:LOOKED]))


def uses(name: str, line: str) -> bool:
    """Whether a line, which neither is a comment nor defines the symbol, holds it as a whole word."""
    return _is_code(name, line) and not _definition(name).search(line[:LOOKED])


def calls(name: str, line: str) -> bool:
    """Whether it uses the symbol with parentheses, or as a decorator."""
    return uses(name, line) and bool(_call(name).search(line))


def definitions(search: Search, side: Side, name: str) -> Places:
    return _places(search(side, name), name, defines)


def usages(search: Search, side: Side, name: str) -> Places:
    return _places(search(side, name), name, uses)


def _places(found: Sequence[Row], name: str, wanted: Callable[[str, str], bool]) -> Places:
    return Places(tuple(row for row in found if wanted(name, row[2])), len(found) >= SEARCHED)


def _is_code(name: str, line: str) -> bool:
    return name in line and bool(_word(name).search(line)) and not _COMMENT.match(line)


@lru_cache(maxsize=64)
def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?<!\w-){re.escape(name)}(?!\w)(?!-\w)")


@lru_cache(maxsize=64)
def _call(name: str) -> re.Pattern[str]:
    """`NAME(`, `NAME!(`, `NAME<T>(`, `@NAME`, `@tools.NAME`"""
    n = re.escape(name)
    return re.compile(rf"(?<!\w){n}\s{{0,4}}(?:!|<[^<>()]{{0,80}}>)?\(|^\s*@(?:\w+\.){{0,8}}{n}(?!\w)")


@lru_cache(maxsize=64)
def _definition(name: str) -> re.Pattern[str]:
    n = re.escape(name)
    return re.compile(
        # def NAME, class NAME, func (r *T) NAME, local -r NAME, #define NAME
        rf"(?<!\w)(?:{_KEYWORDS})\s(?:\s*(?:-\w+|\([^()]*\)|mut|async|static|class|function|enum)\s)*\s*\*?{n}(?!\w)"
        # NAME = …, self.NAME = …, NAME: type = …, NAME := …, "NAME": …, NAME() {
        rf"|^\s*(?:\w{{1,80}}\.)?[\"']?{n}[\"']?\s*(?::?=(?!=)|:(?!:)|\+=|\(\)\s*[{{(])"
        # static int NAME(int a) {
        rf"|^\s*(?!(?:{_NO_TYPE})\b)[A-Za-z_][\w*&:<>,\[\]]*\s[\w\s*&:<>,\[\]]*?(?<!\w){n}\s*\([^;]*$"
    )
