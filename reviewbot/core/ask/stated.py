"""The numbers that a tree states for one key, however it is spelled: a stale one hides among them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.ports import Library
from reviewbot.core.types import Side

MOST = 400  # places
PARTS = 8  # of a key
LOOKED = 400  # characters of a line
AHEAD = 6  # lines below a key that ends in the middle of a call or a list
OPEN = (",", "(", "[", "{", "\\", "=")

_HUMPS = pattern(r"[-_.\s]+|(?<=[a-z0-9])(?=[A-Z])")
_DIGITS = r"0[xX][0-9a-fA-F]+|\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?"
_NUMBER = rf"(?P<value>[-+]?(?:{_DIGITS})(?:%|[a-zA-Z]{{1,3}})?)(?![\w.]*\w)"
# What may stand between a key and its number: `="${KEY:-8}"`, `", type=int, default=8`, `: u32 = 8`.
_BETWEEN = (
    r"(?>(?::-|[\s\"'`=:,?(\[{<>!+*\\\]]"
    r"|(?<!\w)(?:default|type|float|number|value|const|None|usize|size_t|u?int\d*|[iuf]\d+)(?!\w))*)"
)
_VALUE = pattern(rf"{_BETWEEN}{_NUMBER}")
# A default that stands behind other arguments of the same call.
_DEFAULT = pattern(rf"[^)]{{0,300}}?\bdefault\s*[=:]\s*[\"']?{_NUMBER}")


class Stated(NamedTuple):
    path: str
    line: int
    value: str  # as it is written
    text: str  # of the line with the key


def spellings(key: str) -> tuple[str, ...]:
    """`--max-len` → `max-len`, `max_len`, `MAX_LEN`, `maxLen`, …; nothing for what is no key."""
    own = key.strip().lstrip("-")
    parts = [part for part in _HUMPS.split(own) if part]
    if not re.search(r"\w", "".join(parts)) or len(parts) > PARTS:
        return ()
    lower, upper, title = ([f(part) for part in parts] for f in (str.lower, str.upper, str.capitalize))
    found = [own, *(glue.join(form) for glue in "_-" for form in (lower, upper, title))]
    found += ["".join(form) for form in (lower, upper, title, [lower[0], *title[1:]])]
    return tuple(dict.fromkeys(found))


def stated(library: Library, side: Side, key: str) -> tuple[Stated, ...]:
    """Where a number stands behind the key, by path and line; the first MOST of them."""
    words = spellings(key)
    rows = {row[:2]: row for word in words for row in library.search(side, word)}
    named = re.compile(
        "|".join(rf"(?<![\w])(?<!\w-){re.escape(word)}(?!\w)(?!-\w)" for word in words) or "(?!)"
    )
    found: list[Stated] = []
    for row in sorted(rows.values()):
        found += _in_line(row, named, partial(_below, library, side))
        if len(found) >= MOST:
            break
    return tuple(found[:MOST])


def _in_line(row: tuple[str, int, str], named: re.Pattern[str], below: partial[str]) -> Iterator[Stated]:
    """What one line states: each value once."""
    path, line, text = row
    values: dict[str, None] = {}
    for key in named.finditer(text[:LOOKED]):
        rest = text[key.end() : key.end() + LOOKED]
        if rest.rstrip().endswith(OPEN):
            rest = f"{rest}\n{below(path, line)}"
        if found := _VALUE.match(rest) or _DEFAULT.match(rest):
            values[found["value"]] = None
    yield from (Stated(path, line, value, text) for value in values)


def _below(library: Library, side: Side, path: str, line: int) -> str:
    text = library.text(side, path)
    rows: Sequence[str] = text.lines[line : line + AHEAD] if text else ()
    return "\n".join(row[:LOOKED] for row in rows)
