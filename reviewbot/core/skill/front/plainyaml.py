"""YAML without its surprises: one document of mappings, lists and texts.

A scalar is the text that its author wrote (`kind: on` is "on"), apart from the few keys of a rule
that take a number or a flag. Aliases, anchors, tags, repeated keys, deep nesting and a second
document are errors. The file is read event by event and without recursion, so that a hostile one is
left at its first offence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from reviewbot.core.patterns import pattern
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.front.yamlwords import in_words

MAX_DEPTH = 64  # JSON and ast-grep read what comes out by recursion
NUMBER = pattern(r"\d{1,9}")
NUMBERS = frozenset(["class", "nthChild", "position", "line", "column"])
FLAGS = {"true": True, "false": False}
PROPERTY = "is not allowed here; write the value out where it is used, or put the text in quotes"
TAG = "a YAML tag is not allowed here; put a text that starts with `!` in quotes"

Path = tuple[str | int, ...]  # keys, and numbers of the items of lists, from 0
Place = tuple[int, int]  # line and column


def read_mapping(text: str, notes: Diagnostics) -> tuple[dict[str, Any], Mapping[Path, Place]] | None:
    """The mapping that `text` holds, and where each key and each item of a list stands; None with an
    error in `notes`."""
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
        why = in_words(error, text.split("\n"))
        notes.error("R002", *place, f"not valid YAML: {why}")
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
        self.places: dict[Path, Place] = {}
        self._notes = notes
        self._open: list[dict[str, Any] | list[Any]] = []
        # Of each open collection what is read now: the number of an item, the key of a value; None: a key.
        self._at: list[str | int | None] = []
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
                self._at.append(None if kind == "MappingStart" else 0)
            elif kind in ("MappingEnd", "SequenceEnd"):
                self._open.pop()
                self._at.pop()
                self._next()
            elif kind == "Scalar" and self._at and self._at[-1] is None:
                self._key(str(event.value), event)
            elif kind == "Scalar":
                self._put(self._scalar(event), event)
                self._next()
            if self._notes.failed:
                return

    def _offence(self, kind: str, event: Any) -> str:
        if kind == "Alias":
            return f"the alias `*{event.anchor}` {PROPERTY}"
        if getattr(event, "anchor", None):
            return f"the anchor `&{event.anchor}` {PROPERTY}"
        if getattr(event, "tag", None):
            return TAG
        return f"nesting deeper than {MAX_DEPTH}" if len(self._open) > MAX_DEPTH else ""

    def _put(self, value: Any, event: Any) -> None:
        into, at = (self._open[-1], self._at[-1]) if self._open else (None, None)
        if into is None:
            self.root = value
        elif isinstance(into, list):
            into.append(value)
            self._note(event)
        elif isinstance(at, str):
            into[at] = value
        else:
            self._fault("R002", event, "a list or a mapping cannot be a key")

    def _key(self, key: str, event: Any) -> None:
        if key in self._open[-1]:
            self._fault("R003", event, f"`{key[:80]}` is given twice")
        self._at[-1] = key
        self._note(event)

    def _note(self, event: Any) -> None:
        path = tuple(part for part in self._at if part is not None)
        self.places[path] = event.start_mark.line + 1, event.start_mark.column + 1

    def _next(self) -> None:
        """A value has ended."""
        if self._at:
            at = self._at[-1]
            self._at[-1] = at + 1 if isinstance(at, int) else None

    def _scalar(self, event: Any) -> str | int | bool:
        key, value = self._at[-1] if self._at else None, str(event.value)
        if key in NUMBERS and event.implicit[0] and NUMBER.fullmatch(value):
            return int(value)
        return FLAGS.get(value, value) if key == "reverse" else value

    def _fault(self, code: str, event: Any, message: str) -> None:
        self._notes.error(code, event.start_mark.line + 1, event.start_mark.column + 1, message)
