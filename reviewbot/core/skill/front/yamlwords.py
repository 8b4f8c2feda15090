"""What a YAML reader refuses, in words that name the remedy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reviewbot.core.patterns import pattern

TAB = "a tab; indent with spaces"
INDENTED = "the line is indented unlike those that it belongs to"
STARTS = "a text that starts with {} needs quotes"
BEHIND = "the text goes on behind its closing quote; put all of it into one pair of quotes"
COLON = "a text with `: ` in it needs quotes"
NO_COLON = f"{INDENTED}, or the one before it is no `key: value`"
ESCAPE = "a backslash within \"…\" begins an escape; write the text within '…'"
LIST = "a list begins in the line below its key; a text that starts with `- ` needs quotes"
BLOCK = "behind `{0}` the text begins in the next line; one that starts with `{0}` needs quotes"
INSIDE = "within `{}` a text with `[`, `{{`, `,` or `: ` needs quotes, or the `{}` of line {} is not closed"
MEANING = "`{}` has a meaning of its own here; put the whole text in quotes"
OPEN_QUOTE = "the quote that opens in line {} is not closed"
NO_KEY = "line {} is no `key: value`; quote a text of several lines, or indent it below its key"
NOTHING = "a value is missing here, or it needs quotes"

_KEY_ONLY = pattern(r"[\s-]*+[^\s:]*+\s*+")  # all that stands before the first colon of a line


def in_words(error: Any, lines: Sequence[str], first: int = 1) -> str:
    """What a MarkedYAMLError says, which libyaml and PyYAML word differently; their own words where there
    are no better ones. `lines` were read, and the first of them is line `first` of the file."""
    problem, during = str(error.problem or error.context), str(error.context or "")
    mark = error.problem_mark or error.context_mark
    if mark is None:
        return problem
    line = lines[mark.line] if mark.line < len(lines) else ""
    before, here = line[: mark.column], line[mark.column : mark.column + 1]
    began = error.context_mark or mark
    opened = (lines[began.line] if began.line < len(lines) else "")[began.column : began.column + 1]
    if "tab character" in problem or (here == "\t" and "cannot start" in problem):
        return TAB
    if "cannot start any token" in problem:
        return STARTS.format("a backtick" if here == "`" else f"`{here}`")
    if "mapping values are not allowed" in problem:
        return NO_COLON if _KEY_ONLY.fullmatch(before) else COLON
    if "escape character" in problem:
        return ESCAPE
    if "quoted scalar" in during:
        return OPEN_QUOTE.format(began.line + first)
    if "alphabetic or numeric" in problem:
        return MEANING.format(opened)
    if "scanning a tag" in during:
        return STARTS.format("`!`")
    if "block scalar" in during:
        return BLOCK.format(opened)
    if "sequence entries are not allowed" in problem:
        return LIST
    if "expected ':'" in problem:
        return NO_KEY.format(began.line + first)
    if "flow mapping" in during or "flow sequence" in during:
        both = "{…}" if "mapping" in during else "[…]"
        return INSIDE.format(both, both[0], began.line + first)
    if "node content" in problem:
        return NOTHING
    if "block mapping" in during or "block collection" in during or "document start" in problem:
        return _around(before)
    return problem


def _around(before: str) -> str:
    """Why a text stands where a key or an item is expected; `before` is what its line has before it."""
    written = before.strip()
    if not written:
        return INDENTED
    if written[-1] in "\"'":
        return BEHIND
    return MEANING.format(written[-1])
