"""YAML without its surprises: one document of mappings, lists and texts.

A scalar is the text that its author wrote (`kind: on` is "on"), apart from the few keys of a rule
that take a number or a flag. Aliases, anchors, tags, repeated keys, deep nesting and a second
document are errors. The file is read event by event and without recursion, so that a hostile one is
left at its first offence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from reviewbot.core.skill.diagnostics import Diagnostics

MAX_DEPTH = 64  # JSON and ast-grep read what comes out by recursion
NUMBER = re.compile(r"\d{1,9}")
NUMBERS = frozenset(["class", "nthChild", "position", "line", "column"])
FLAGS = {"true": True, "false": False}
PROPERTY = "is not allowed here; write the value out where it is used"

Place = tuple[int, int]  # line and column


def read_mapping(text: str, notes: Diagnostics) -> tuple[dict[str, Any], Mapping[str, Place]] | None:
    """The mapping that `text` holds, and where its own keys stand; None with an error in `notes`."""
    import yaml  # 45 ms

    if bad := yaml.reader.Reader.NON_PRINTABLE.search(text):
        before = text[: bad.start()]
        place = before.count("\n") + 1, len(before) - before.rfind("\n")
        notes.error("R001", *place, f"the character U+{ord(bad[0]):04X} is not allowed in YAML")
        return None
    tree = _Tree(notes)
    try:
        tree.grow(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        notes.error("R002", *place, f"not valid YAML: {error.problem or error.context}")
    if notes.failed:
        return None
    if not isinstance(tree.root, dict):
        notes.error("R002", 1, 1, "a rule file is a list of `key: value` lines")
        return None
    return tree.root, tree.places


class _Tree:
    """Grows out of the events of one file; stops at the first that is not allowed."""

    def __init__(self, notes: Diagnostics) -> None:
        self.root: Any = None
        self.places: dict[str, Place] = {}
        self._notes = notes
        self._open: list[dict[str, Any] | list[Any]] = []
        self._keys: list[str | None] = []  # of each open collection the key that waits for its value
        self._documents = 0

    def grow(self, events: Iterable[Any]) -> None:
        for event in events:
            kind = type(event).__name__.removesuffix("Event")
            if offence := self._offence(kind, event):
                self._fault("R003", event, offence)
            elif kind == "DocumentStart":
                self._documents += 1
                if self._documents > 1:
                    self._fault("R002", event, "a second document; put each rule into a file of its own")
            elif kind in ("MappingStart", "SequenceStart"):
                new: dict[str, Any] | list[Any] = {} if kind == "MappingStart" else []
                self._put(new, event)
                self._open.append(new)
                self._keys.append(None)
            elif kind in ("MappingEnd", "SequenceEnd"):
                self._open.pop()
                self._keys.pop()
            elif kind == "Scalar":
                self._put(self._scalar(event), event)
            if self._notes.failed:
                return

    def _offence(self, kind: str, event: Any) -> str:
        if kind == "Alias":
            return f"the alias `*{event.anchor}` {PROPERTY}"
        if getattr(event, "anchor", None):
            return f"the anchor `&{event.anchor}` {PROPERTY}"
        if getattr(event, "tag", None):
            return "a YAML tag is not allowed here; values are texts, lists and mappings"
        return f"nesting deeper than {MAX_DEPTH}" if len(self._open) > MAX_DEPTH else ""

    def _put(self, value: Any, event: Any) -> None:
        if not self._open:
            self.root = value
            return
        into = self._open[-1]
        if isinstance(into, list):
            into.append(value)
        elif (key := self._keys[-1]) is not None:
            into[key] = value
            self._keys[-1] = None
        elif not isinstance(value, str):
            self._fault("R002", event, "a list or a mapping cannot be a key")
        elif value in into:
            self._fault("R003", event, f"`{value[:80]}` is given twice")
        else:
            self._keys[-1] = value
            if len(self._open) == 1:
                self.places[value] = event.start_mark.line + 1, event.start_mark.column + 1

    def _scalar(self, event: Any) -> str | int | bool:
        key, value = self._keys[-1] if self._keys else None, str(event.value)
        if key in NUMBERS and event.implicit[0] and NUMBER.fullmatch(value):
            return int(value)
        return FLAGS.get(value, value) if key == "reverse" else value

    def _fault(self, code: str, event: Any, message: str) -> None:
        self._notes.error(code, event.start_mark.line + 1, event.start_mark.column + 1, message)
