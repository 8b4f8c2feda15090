"""The `---` block at the top of a SKILL.md: names to texts, with the line of each.

Plain `key: value` front matter, which is nearly all of it, needs no YAML. However it is read, every
scalar keeps the text that its author wrote (`version: 1.0` is "1.0", `name: yes` is "yes").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.front.plainfields import Found, Value, read_plainly
from reviewbot.core.skill.front.yamlfields import read_as_yaml

MAX_LINES = 200
MAX_CHARS = 16_384
BETWEEN_COMMAS = pattern(r"(?:\{[^{}]*\}|[^,])+")  # those of `*.{sh,py}` part nothing


class FrontMatter(NamedTuple):
    values: dict[str, Value]
    lines: dict[str, int]
    end: int  # line of the closing marker; 0: there is no front matter
    rows: Mapping[str, Sequence[int]] = {}  # the line of each item of a list that has a line for each

    def text(self, key: str) -> str:
        value = self.values.get(key, "")
        return value.strip() if isinstance(value, str) else ""

    def items(self, key: str, *, commas: bool = True) -> list[tuple[int, str]]:
        """The (line, item)s of a list, or the parts of a text: with `commas` those between them."""
        value = self.values.get(key, "")
        if isinstance(value, str):
            value = BETWEEN_COMMAS.findall(value) if commas else [value]
        places = self.rows.get(key) or [self.lines.get(key, 1)] * len(value)
        return [(at, part.strip()) for at, part in zip(places, value, strict=True) if part.strip()]


def read(lines: Sequence[str], notes: Diagnostics, *, optional: bool = False) -> FrontMatter | None:
    """The front matter of a file, or None with an error in `notes`. Where it is `optional`, a file
    without any has an empty one."""
    if optional and not next(filter(str.strip, lines), "").startswith("---"):
        notes.warn(
            "S002", 1, 1, "no front matter; the path gives the name, the first paragraph the description"
        )
        return FrontMatter({}, {}, 0)
    end = _closing_line(lines, notes)
    if end is None:
        return None
    block = list(lines[1 : end - 1])
    found = read_plainly(block, notes)
    if found is None:
        found = read_as_yaml(block, notes)
    if found is None:
        return None
    values = {key: value for key, (value, _) in found.items()}
    return FrontMatter(values, {key: line for key, (_, line) in found.items()}, end, _rows(block, found))


def _rows(block: list[str], found: Found) -> dict[str, list[int]]:
    edges = [*sorted(line for _, line in found.values()), len(block) + 2]
    rows: dict[str, list[int]] = {}
    for key, (value, line) in found.items():
        below = range(line + 1, edges[edges.index(line) + 1])
        dashes = [(n, m.end()) for n in below if (m := re.match(r"[ ]*- ", block[n - 2]))]
        at = [n for n, indent in dashes if indent == dashes[0][1]]  # deeper ones are text of an item
        if isinstance(value, list) and len(at) == len(value):
            rows[key] = at
    return rows


def _closing_line(lines: Sequence[str], notes: Diagnostics) -> int | None:
    if not lines or lines[0].rstrip() != "---":
        notes.error("S002", 1, 1, "no front matter: the first line must be `---`")
        return None
    size = 0
    for number, line in enumerate(lines[1:MAX_LINES], start=2):
        if line.rstrip() in ("---", "..."):
            return number
        size += len(line) + 1
        if size > MAX_CHARS:
            break
    limits = f"{MAX_LINES} lines and {MAX_CHARS // 1024} KiB"
    notes.error("S002", 1, 1, f"the front matter is not closed by `---` within {limits}")
    return None
