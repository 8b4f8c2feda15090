"""Code without what only looks like it: comments and strings, blanked out line for line."""

from __future__ import annotations

import io
import re
import tokenize
from functools import lru_cache

from reviewbot.core.language import is_python
from reviewbot.core.patterns import pattern
from reviewbot.core.types import Text

_QUOTES = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".php", ".dart")  # where '…' is a string
_SHARED = (
    r"/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z)|(?<!:)//[^\n]*|\"(?:\\.|[^\"\\\n])*\""
    r"|`(?:\\.|[^`\\])*`"  # a template
)
_BRACED = pattern(rf"{_SHARED}|'(?:\\[^\n][^'\n]{{0,8}}|[^'\\\n])'", re.DOTALL)
_QUOTED = pattern(rf"{_SHARED}|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_SET_IN = pattern(r"\$\{[^{}]*\}")  # code in a template
_FORMATTED = pattern(r"(?i)(?:f|fr|rf)['\"]")
_SEEN = pattern(r"[^\n]")


@lru_cache(maxsize=16)
def plain(text: Text) -> tuple[str, ...]:
    """The lines of a text of Python, or of a language with `//` and `/*`."""
    if is_python(text.path, text.first_line):
        return _python(text)
    strings = _QUOTED if text.path.endswith(_QUOTES) else _BRACED
    return tuple(strings.sub(_blank, "\n".join(text.lines)).split("\n"))


def _blank(found: re.Match[str]) -> str:
    blank = _SEEN.sub(" ", found[0])
    for code in _SET_IN.finditer(found[0]) if found[0].startswith("`") else ():
        blank = blank[: code.start()] + code[0] + blank[code.end() :]
    return blank


def _python(text: Text) -> tuple[str, ...]:
    """What cannot be read as Python stays as it is from there on. So do f-strings: there is code in them."""
    rows = list(text.lines)
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(text.lines) + "\n").readline):
            string = token.type == tokenize.STRING and not _FORMATTED.match(token.string)
            if string or token.type == tokenize.COMMENT:
                _blank_rows(rows, token.start, token.end)
    except (tokenize.TokenError, SyntaxError):  # of no consequence for what stands above
        return tuple(rows)
    return tuple(rows)


def _blank_rows(rows: list[str], start: tuple[int, int], end: tuple[int, int]) -> None:
    for n in range(start[0], end[0] + 1):
        row = rows[n - 1]
        first = start[1] if n == start[0] else 0
        last = end[1] if n == end[0] else len(row)
        rows[n - 1] = row[:first] + " " * (last - first) + row[last:]
