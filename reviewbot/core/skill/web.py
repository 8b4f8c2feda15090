"""The page of a code host, pasted as text, as the file that it shows.

Such a paste has the size of the file above it, and behind each line of the file a line `|` and a line
`||`, the borders of the page's table. Leading white space is lost in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reviewbot.core.patterns import pattern

_BYTES = r"[\d.,]+ (?:bytes|[KM]i?B)"
_SIZE = rf"(?:[\d.,]+ lines(?: \([^()]*\))?(?: \N{{MIDDLE DOT}} {_BYTES})?|{_BYTES})"
JUNK = pattern(rf"(?:{_SIZE}|Markdown|Raw|Blame|Code|Preview|)$", re.IGNORECASE)
SIZE = pattern(rf"{_SIZE}$", re.IGNORECASE)
BORDERS = ("|", "||")
ITEM = pattern(r"(?:\d{1,3}[.)]|[-*+])[ \t]+(?=\S)")
FENCE = pattern(r"(`{3,}|~{3,})")


def is_pasted(lines: Sequence[str]) -> bool:
    """Whether this is no file but the page that shows one."""
    borders = sum(line.strip() in BORDERS for line in lines)
    size_on_top = any(SIZE.match(line.strip()) for line in lines[:3])
    return (borders > 10 and borders * 2 > len(lines)) or (size_on_top and lines[0].rstrip() != "---")


def clean(text: str) -> str | None:
    """The file, or None where the text is no such paste."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not is_pasted(lines):
        return None
    start = next((n for n, line in enumerate(lines) if line.rstrip() == "---"), None)
    if start is None or any(not JUNK.match(line.strip()) for line in lines[:start]):
        start = next((n for n, line in enumerate(lines) if not JUNK.match(line.strip())), len(lines))
    return "\n".join(_indented(_unbordered(lines[start:]))).rstrip("\n") + "\n"


def _unbordered(lines: Sequence[str]) -> list[str]:
    """The lines between the borders. Empty lines beside a line are the page's, alone they are the file's."""
    if not any(line.strip() == "||" for line in lines):
        return list(lines)
    rows: list[str] = []
    row: list[str] = []
    for line in [*lines, "||"]:
        mark = line.strip()
        if mark == "||":
            rows += row or [""]
            row = []
        elif mark and mark != "|":
            row.append(line.rstrip())
    return rows


def _indented(lines: Sequence[str]) -> list[str]:
    """The lines with what follows an item set below its text, fences too; nothing is moved where the
    white space was kept."""
    end = lines.index("---", 1) if lines[:1] == ["---"] and "---" in lines[1:] else 0
    if any(line[:1] in (" ", "\t") for line in lines[end:]):
        return list(lines)
    rows = list(lines[: end + 1])
    indent, fence = 0, ""
    for line in lines[end + 1 :]:
        if fence:
            rows.append(" " * indent + line if line else "")
            fence = "" if line.startswith(fence) and not line.strip(fence[0]) else fence
            continue
        m = ITEM.match(line)
        is_inner = indent > 2 and line[:1] in "-*+"
        if not line or line[0] == "#" or (m and not is_inner):
            indent = 0
        rows.append(" " * indent + line)
        if m and not indent:
            indent = m.end()
        opened = FENCE.match(line)
        fence = opened[1] if opened else ""
    return rows
