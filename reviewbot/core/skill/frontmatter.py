"""The `---` block at the top of a SKILL.md: names to texts, with the line of each.

Plain `key: value` front matter, which is nearly all of it, is read here. Anything richer goes to
PyYAML, imported then only (about 40 ms), stripped of what makes YAML dangerous or surprising:
aliases, anchors, tags, deep nesting and duplicate keys are errors, and every scalar keeps the
text that its author wrote (`version: 1.0` is "1.0", `name: yes` is "yes").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from reviewbot.core.skill.diagnostics import Diagnostics

MAX_LINES = 200
MAX_CHARS = 16_384
MAX_DEPTH = 5
KEY = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*))?$")
BLOCK = re.compile(r"[|>][+-]?$")
# Where the value is plain text for YAML too. A value with ": " is refused by YAML and kept by us.
PLAIN = re.compile(r"[^\s\"'\[\]{}&*!|>%@`#,?:-]|-(?=[^\s-])")

Value = str | list[str] | dict[str, str]


class FrontMatter(NamedTuple):
    values: dict[str, Value]
    lines: dict[str, int]
    end: int  # line of the closing marker

    def text(self, key: str) -> str:
        value = self.values.get(key, "")
        return value.strip() if isinstance(value, str) else ""

    def items(self, key: str) -> list[str]:
        """A list, or the parts of a comma-separated text."""
        value = self.values.get(key, "")
        if isinstance(value, str):
            value = value.split(",")
        return [part.strip() for part in value if part.strip()]


def read(lines: Sequence[str], notes: Diagnostics) -> FrontMatter | None:
    """The front matter of a file, or None with an error in `notes`."""
    end = _closing_line(lines, notes)
    if end is None:
        return None
    block = list(lines[1 : end - 1])
    found = _read_plainly(block, notes)
    if found is None:
        found = _read_as_yaml(block, notes)
    if found is None:
        return None
    return FrontMatter({k: v for k, (v, _) in found.items()}, {k: n for k, (_, n) in found.items()}, end)


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


Found = dict[str, tuple[Value, int]]


def _read_plainly(block: list[str], notes: Diagnostics) -> Found | None:
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
        while index < len(block) and (block[index][:1] in (" ", "\t", "") or block[index].startswith("- ")):
            index += 1
        value = _value((m[2] or "").strip(), block[more:index])
        if value is None:
            return None
        if isinstance(value, str) and _has_colon((m[2] or "").strip()):
            repaired.append((number, m.start(2) + 1, m[1]))
        found[m[1]] = (value, number)
    for number, col, key in repaired:
        notes.warn("S103", number, col, f"`{key}` holds `: ` and is not quoted; read as one text")
    return found


def _has_colon(written: str) -> bool:
    text = _uncommented(written)
    return bool(PLAIN.match(text)) and (": " in text or text.endswith(":"))


def _uncommented(written: str) -> str:
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
    return _uncommented(written)


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
        plain = len(known) == len(items) and not any(_has_colon(row.lstrip()[2:]) for row in rows)
        return known if plain else None
    mapping: dict[str, str] = {}
    for row in rows:
        m = KEY.match(row.strip())
        value = _scalar((m[2] or "").strip()) if m else None
        if not m or value is None or m[1] in mapping or _has_colon(m[2] or ""):
            return None
        mapping[m[1]] = value
    return mapping


def _read_as_yaml(block: list[str], notes: Diagnostics) -> Found | None:
    import yaml

    text = "\n".join(block) + "\n"
    try:
        if not _harmless(yaml, text, notes):
            return None
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        line, col = (mark.line + 2, mark.column + 1) if mark else (1, 1)
        notes.error("S003", line, col, f"the front matter is not valid YAML: {e.problem or e.context}")
        return None
    except yaml.YAMLError as e:  # a character that YAML forbids; it has a position and no mark
        before = text[: getattr(e, "position", 0)]
        place = before.count("\n") + 2, len(before) - before.rfind("\n")
        notes.error("S003", *place, f"the front matter is not valid YAML: {getattr(e, 'reason', e)}")
        return None
    if not isinstance(node, yaml.MappingNode):
        notes.error("S002", 2, 1, "the front matter is not a list of `key: value` lines")
        return None
    return _fields(yaml, node, notes)


def _harmless(yaml: Any, text: str, notes: Diagnostics) -> bool:
    """Whether there is no alias, anchor, tag or deep nesting. Tokens come one at a time, so that a
    hostile block is left at its first offence, before anything recursive sees it."""
    depth = 0
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        kind = type(token).__name__
        depth += kind.endswith(("SequenceStartToken", "MappingStartToken"))
        depth -= kind.endswith(("SequenceEndToken", "MappingEndToken")) or kind == "BlockEndToken"
        offence = "nesting deeper than 5" if depth > MAX_DEPTH else ""
        if kind in ("AliasToken", "AnchorToken", "TagToken", "DirectiveToken"):
            offence = f"a YAML {kind.removesuffix('Token').lower()}"
        if offence:
            mark = token.start_mark
            message = f"{offence} is not allowed in front matter"
            notes.error("S006", mark.line + 2, mark.column + 1, message)
            return False
    return True


def _fields(yaml: Any, node: Any, notes: Diagnostics) -> Found | None:
    found: Found = {}
    for key, node_of_value in _unique(node, notes):
        name, line = str(key.value), key.start_mark.line + 2
        value: Value
        if isinstance(node_of_value, yaml.SequenceNode):
            value = [_source_text(item) for item in node_of_value.value]
        elif isinstance(node_of_value, yaml.MappingNode):
            value = {str(k.value): _source_text(v) for k, v in _unique(node_of_value, notes)}
        else:
            value = str(node_of_value.value)
        found[name] = value, line
    return None if notes.failed else found


def _unique(mapping: Any, notes: Diagnostics) -> Iterator[tuple[Any, Any]]:
    """The (key, value) nodes of a mapping; a repeated key is an error, where PyYAML keeps the last."""
    seen = set()
    for key, value in mapping.value:
        if (name := str(key.value)) in seen:
            mark = key.start_mark
            notes.error("S005", mark.line + 2, mark.column + 1, f"`{name}` is given twice")
        seen.add(name)
        yield key, value


def _source_text(node: Any) -> str:
    """A scalar as written; of a deeper collection the text that it spans."""
    if isinstance(node.value, str):
        return node.value
    mark = node.start_mark
    return str(mark.buffer[mark.pointer : node.end_mark.pointer]).strip()
