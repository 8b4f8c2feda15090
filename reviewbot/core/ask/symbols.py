"""Where a symbol is defined and where it is used, told by its lines alone, in any language."""

from __future__ import annotations

import re
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.ports import SEARCHED, Library
from reviewbot.core.types import Side

LOOKED = 400  # characters of a line

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


class Places(NamedTuple):
    """Lines by path. `cut`: there are more lines with the name than were looked at."""

    rows: tuple[tuple[str, int, str], ...]
    cut: bool


def name_of(symbol: str) -> str:
    """The last part of `Class.method`, `pkg::fn` or `obj->f`; "" for what is no name."""
    last = re.split(r"\.|::|->|#", symbol.strip().removesuffix("()"))[-1]
    return last if _NAME.fullmatch(last) else ""


def definitions(library: Library, side: Side, name: str) -> Places:
    return _places(library, side, name, defined=True)


def uses(library: Library, side: Side, name: str) -> Places:
    """The other lines that hold it as a whole word."""
    return _places(library, side, name, defined=False)


def _places(library: Library, side: Side, name: str, *, defined: bool) -> Places:
    found, word, definition = library.search(side, name), _word(name), _definition(name)

    def wanted(text: str) -> bool:
        return bool(word.search(text)) and bool(definition.search(text[:LOOKED])) is defined

    return Places(tuple(row for row in found if wanted(row[2])), len(found) >= SEARCHED)


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?<!\w-){re.escape(name)}(?!\w)(?!-\w)")


def _definition(name: str) -> re.Pattern[str]:
    n = re.escape(name)
    return re.compile(
        # def NAME, class NAME, func (r *T) NAME, local -r NAME, #define NAME
        rf"(?<!\w)(?:{_KEYWORDS})\s(?:\s*(?:-\w+|\([^()]*\)|mut|async|static|class|function|enum)\s)*\s*\*?{n}(?!\w)"
        # NAME = …, NAME: type = …, NAME := …, "NAME": …, NAME() {
        rf"|^\s*[\"']?{n}[\"']?\s*(?::?=(?!=)|:(?!:)|\+=|\(\)\s*[{{(])"
        # static int NAME(int a) {
        rf"|^\s*(?!(?:{_NO_TYPE})\b)[A-Za-z_][\w*&:<>,\[\]]*\s[\w\s*&:<>,\[\]]*?(?<!\w){n}\s*\([^;]*$"
    )
