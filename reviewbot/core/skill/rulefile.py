"""The fields of a rule file, and whether a file has them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, get_args, get_origin, get_type_hints

from reviewbot.core.errors import nearest
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.front.plainyaml import Path, Place

Language = Literal["bash", "python", "yaml"]  # any other brings ast-grep down
LANGUAGES: tuple[str, ...] = get_args(Language)
TEXTS = ("id", "message", "cost", "fix")
MAX_KEYS = 30
MEANT = {"sh": "bash", "shell": "bash", "zsh": "bash", "ksh": "bash", "dash": "bash", "py": "python"}
NEEDED = {
    "missing": "this key is missing",
    "string_type": "it needs a text; put this one in quotes",
    "int_type": "it needs a number",
    "list_type": "it needs a list",
    "dict_type": "it needs keys with values",
}
MAX_TEXT = 1000  # characters; each is a sentence of a report


@dataclass(frozen=True, kw_only=True)
class RuleFile:
    """A rule as its author writes it; pydantic reads it as a model. `class_` is written `class`."""

    id: str
    language: Language
    class_: int | str  # its number, its title, or its slug
    message: str
    cost: str
    fix: str
    rule: dict[str, Any]
    bad: list[str]
    good: list[str]
    severity: Literal["blocker", "warning", "note"] | None = None
    grade: Literal["strong", "hint"] = "hint"  # nothing is proven by a pattern
    utils: dict[str, Any] | None = None
    constraints: dict[str, Any] | None = None
    paths: list[str] | None = None
    proof: str | None = None

    __pydantic_config__: ClassVar = {"extra": "forbid", "alias_generator": lambda name: name.rstrip("_")}


def rule_file(values: Mapping[str, Any], places: Mapping[Path, Place], notes: Diagnostics) -> RuleFile | None:
    """The fields, or None with an error in `notes` for each that is wrong.

    A file without a fault, which is nearly every one, is recognised without pydantic: importing
    that costs more than all the rest of a small review.
    """
    if len(values) > MAX_KEYS:
        notes.error("R004", 1, 1, f"{len(values):,} keys; a rule has {', '.join(_hints())}")
        return None
    if _well_formed(values):
        found: RuleFile | None = RuleFile(**{_attribute(key): value for key, value in values.items()})
    else:
        found = _validated(values, places, notes)
    if found is None:
        return None
    for name, value in _empty(found):
        fault = "is empty" if not value else f"is longer than {MAX_TEXT} characters"
        notes.error("R004", *places.get((name,), (1, 1)), f"`{name}` {fault}")
    return None if notes.failed else found


def _attribute(key: str) -> str:
    return "class_" if key == "class" else key


def _empty(found: RuleFile) -> Iterator[tuple[str, str]]:
    """The fields that say nothing, or too much."""
    for name in TEXTS:
        value = getattr(found, name).strip()
        if not 0 < len(value) <= MAX_TEXT:
            yield name, value
    yield from ((name, "") for name in ("rule", "bad", "good") if not getattr(found, name))


def _well_formed(values: Mapping[str, Any]) -> bool:
    hints = _hints()
    required = hints.keys() - vars(RuleFile).keys()
    return required <= values.keys() <= hints.keys() and all(
        _fits(value, hints[key]) for key, value in values.items()
    )


def _hints() -> dict[str, Any]:
    """The type of each key."""
    hints = get_type_hints(RuleFile)
    return {field.name.rstrip("_"): hints[field.name] for field in fields(RuleFile)}


def _fits(value: Any, hint: Any) -> bool:
    kind, of = get_origin(hint) or hint, get_args(hint)
    if kind is Literal:
        return isinstance(value, str) and value in of
    if kind is UnionType:
        return any(_fits(value, each) for each in of if each is not NoneType)
    return type(value) is kind and (kind is not list or all(_fits(item, of[0]) for item in value))


def _validated(
    values: Mapping[str, Any], places: Mapping[Path, Place], notes: Diagnostics
) -> RuleFile | None:
    from pydantic import TypeAdapter, ValidationError  # 250 ms

    try:
        return TypeAdapter(RuleFile).validate_python(values)
    except ValidationError as error:
        faults: dict[Path, list[str]] = defaultdict(list)  # a key of several types has one for each
        for fault in error.errors(include_url=False):
            where = fault["loc"] if fault["loc"] in places else fault["loc"][:1]
            faults[where].append(_said(fault))
    for where, said in faults.items():
        message = f"`{str(where[0])[:80]}`: {', or '.join(dict.fromkeys(said))}"
        notes.error("R004", *places.get(where, (1, 1)), message)
    return None


def _said(fault: Any) -> str:
    """What pydantic says of a value, and the remedy."""
    import difflib

    name, value = str(fault["loc"][0]), str(fault["input"])
    if name not in _hints():
        return f"unknown key; {nearest(name, _hints())}"
    if fault["type"] == "literal_error":
        known = re.findall(r"'(.*?)'", fault["ctx"]["expected"])
        near = [MEANT[value]] if value in MEANT else difflib.get_close_matches(value, known, n=1)
        return f"this is none of {', '.join(known)}{f'; did you mean {near[0]}?' if near else ''}"
    return NEEDED.get(fault["type"], str(fault["msg"]))
