"""Plain front matter: one-line values, block scalars, lists and mappings of one level, without YAML."""

from __future__ import annotations

import re

from reviewbot.core.patterns import pattern
from reviewbot.core.skill.diagnostics import Diagnostics

KEY = pattern(r"([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*))?$")
BLOCK = pattern(r"[|>][+-]?$")
# Where the value is plain text for YAML too. A value with ": " is refused by YAML and kept by us.
PLAIN = pattern(r"[^\s\"'\[\]{}&*!|>%@`#,?:-]|-(?=[^\s-])")

Value = str | list[str] | dict[str, str]
Found = dict[str, tuple[Value, int]]  # the value of each key, and the line of the key


def read_plainly(block: list[str], notes: Diagnostics) -> Found | None:
    """The values of a block of one-line, block-scalar, list and one-level-mapping entries; None
    where it holds anything else."""
    found: Found = {}
    repaired: list[tuple[int, int, str]] = []
    index = 0
    while index < len(block):
        line, number = block[index], index + 2
        index += 1
        if not line.strip() or line.startswith("#"):
            continue
        m = KEY.match(line)
        if not m or m[1] in found:
            return None
        more = index
        index = end_of_value(block, more)
        value = _value((m[2] or "").strip(), block[more:index])
        if value is None:
            return None
        if isinstance(value, str) and has_colon((m[2] or "").strip()):
            repaired.append((number, m.start(2) + 1, m[1]))
        found[m[1]] = (value, number)
    for number, col, key in repaired:
        notes.warn("S103", number, col, f"`{key}` holds `: ` and is not quoted; read as one text")
    return found


def end_of_value(block: list[str], index: int) -> int:
    """The index behind the lines that go on with the value of the key above `index`."""
    while index < len(block) and (block[index][:1] in (" ", "\t", "") or block[index].startswith("- ")):
        index += 1
    return index


def has_colon(written: str) -> bool:
    text = uncommented(written)
    return bool(PLAIN.match(text)) and (": " in text or text.endswith(":"))


def uncommented(written: str) -> str:
    return re.split(r"[ \t]#", written, maxsplit=1)[0].rstrip()


def _value(written: str, more: list[str]) -> Value | None:
    """One value, from the text behind its key and the lines below it; None where it is not plain."""
    rows = [row for row in more if row.strip() and not row.lstrip().startswith("#")]
    if BLOCK.match(written):
        return _block_scalar(more, fold=written[0] == ">")
    if not written and rows:
        return _collection(rows)
    if rows and not (PLAIN.match(written) and all(PLAIN.match(row.strip()) for row in rows)):
        return None
    if rows and any(": " in row or " #" in row for row in (written, *rows)):
        return None
    return _scalar(" ".join([written, *(row.strip() for row in rows)]))


def _scalar(written: str) -> str | None:
    if not written:
        return ""
    if written[0] in "\"'":
        m = re.match(r'"([^"\\]*)"[ \t]*(?:#.*)?$|\'([^\']*)\'[ \t]*(?:#.*)?$', written)
        return (m[1] or m[2] or "") if m else None
    if not PLAIN.match(written):
        return None
    return uncommented(written)


def _block_scalar(more: list[str], *, fold: bool) -> str:
    indent = min((len(row) - len(row.lstrip(" ")) for row in more if row.strip()), default=0)
    rows = [row[indent:].rstrip() for row in more]
    if not fold:
        return "\n".join(rows).strip("\n")
    paragraphs = "\n".join(rows).strip("\n").split("\n\n")
    return "\n".join(" ".join(paragraph.split("\n")) for paragraph in paragraphs)


def _collection(rows: list[str]) -> Value | None:
    """`- item` rows or `key: value` rows, all at one depth."""
    if len({len(row) - len(row.lstrip(" ")) for row in rows}) != 1:
        return None
    if all(row.lstrip().startswith("- ") for row in rows):
        items = [_scalar(row.lstrip()[2:].strip()) for row in rows]
        known = [item for item in items if item is not None]
        plain = len(known) == len(items) and not any(has_colon(row.lstrip()[2:]) for row in rows)
        return known if plain else None
    mapping: dict[str, str] = {}
    for row in rows:
        m = KEY.match(row.strip())
        value = _scalar((m[2] or "").strip()) if m else None
        if not m or value is None or m[1] in mapping or has_colon(m[2] or ""):
            return None
        mapping[m[1]] = value
    return mapping
