"""Front matter that only YAML can read, stripped of what makes YAML dangerous or surprising.

Aliases, anchors, tags, deep nesting and duplicate keys are errors, and every scalar keeps the text
that its author wrote. PyYAML is imported when it is needed: about 40 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.front.plainfields import KEY, PLAIN, Found, Value, end_of_value, has_colon
from reviewbot.core.skill.front.yamlwords import in_words

MAX_DEPTH = 5


def read_as_yaml(block: list[str], notes: Diagnostics) -> Found | None:
    """The values of a block, or None with an error in `notes`. What is no YAML is tried once more with
    those texts in quotes that hold ": ", the one fault that public skills have."""
    import yaml

    try:
        return _read(yaml, block, notes)
    except yaml.YAMLError as fault:
        repaired, places = _quoted(block)
        try:
            found = _read(yaml, repaired, notes) if places else None
        except yaml.YAMLError:
            found = None
        if found is None:
            if not notes.failed:
                _say(fault, "\n".join(block), notes)
            return None
        for line, col, key in places:
            notes.warn("S103", line, col, f"`{key}` holds `: ` and is not quoted; read as one text")
        return found


def _say(fault: Any, text: str, notes: Diagnostics) -> None:
    mark = getattr(fault, "problem_mark", None) or getattr(fault, "context_mark", None)
    if mark:
        place, why = (mark.line + 2, mark.column + 1), in_words(fault, text.split("\n"), first=2)
    else:  # a character that YAML forbids; it has a position and no mark
        before = text[: getattr(fault, "position", 0)]
        place = before.count("\n") + 2, len(before) - before.rfind("\n")
        why = getattr(fault, "reason", fault)
    notes.error("S003", *place, f"the front matter is not valid YAML: {why}")


def _quoted(block: list[str]) -> tuple[list[str], list[tuple[int, int, str]]]:
    """The block with each unquoted text in quotes that holds ": ", and (line, column, key) of those."""
    rows, places = list(block), []
    for index, line in enumerate(block):
        m = KEY.match(line)
        end = end_of_value(block, index + 1)
        text = " ".join([(m[2] or "").strip(), *(row.strip() for row in block[index + 1 : end])]) if m else ""
        if m and m[2] and PLAIN.match(text) and has_colon(text):
            start = m.start(2)
            rows[index] = line[:start] + "'" + line[start:].replace("'", "''")
            rows[index + 1 : end] = [row.replace("'", "''") for row in rows[index + 1 : end]]
            rows[end - 1] = rows[end - 1].rstrip() + "'"
            places.append((index + 2, start + 1, m[1]))
    return rows, places


def _read(yaml: Any, block: list[str], notes: Diagnostics) -> Found | None:
    """Raises YAMLError."""
    text = "\n".join(block) + "\n"
    if not _harmless(yaml, text, notes):
        return None
    node = yaml.compose(text, Loader=yaml.SafeLoader)
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
