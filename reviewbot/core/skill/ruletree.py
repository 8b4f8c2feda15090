"""The keys of an ast-grep rule. Within `has` and its like ast-grep passes over those that it does not
know: a misspelt `field` would be no error, and no condition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from reviewbot.core.errors import nearest
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.front.plainyaml import Path, Place

# What may stand behind a key: a type, or a mapping with keys of its own.
Kinds = tuple[type | str, ...]
_RULE: dict[str, Kinds] = {
    "pattern": (str, "pattern"),
    "kind": (str,),
    "regex": (str,),
    "nthChild": (int, str, "nthChild"),
    "range": ("range",),
    **dict.fromkeys(("inside", "has", "precedes", "follows"), ("relation",)),
    "all": (list,),
    "any": (list,),
    "not": ("rule",),
    "matches": (str,),
}
_KEYS: Mapping[str, Mapping[str, Kinds]] = {
    "rule": _RULE,
    "relation": {**_RULE, "stopBy": (str, "rule"), "field": (str,)},
    "pattern": dict.fromkeys(("context", "selector", "strictness"), (str,)),
    "nthChild": {"position": (int, str), "reverse": (bool,), "ofRule": ("rule",)},
    "range": dict.fromkeys(("start", "end"), ("position",)),
    "position": dict.fromkeys(("line", "column"), (int,)),
}
_NAMES = {str: "a text", int: "a number", bool: "true or false", list: "a list of rules"}


def check_trees(trees: Iterable[tuple[Path, Any]], places: Mapping[Path, Place], notes: Diagnostics) -> None:
    """An error in `notes` for each key that no rule has, and for what cannot stand behind its key.
    `trees` are rules, each with its path in the file."""
    for path, tree in trees:
        _check(tree, ("rule",), path, places, notes)


def _check(value: Any, kinds: Kinds, path: Path, places: Mapping[Path, Place], notes: Diagnostics) -> None:
    known = next((_KEYS[kind] for kind in kinds if isinstance(kind, str)), None)
    if isinstance(value, dict) and known:
        for key, below in value.items():
            if key in known:
                _check(below, known[key], (*path, key), places, notes)
            else:
                message = f"`{key[:80]}`: unknown key; {nearest(key, known)}"
                notes.error("R004", *places[(*path, key)], message)
    elif isinstance(value, list) and list in kinds:
        for number, item in enumerate(value):
            _check(item, ("rule",), (*path, number), places, notes)
    elif type(value) not in kinds:
        key = next(part for part in reversed(path) if isinstance(part, str))
        wanted = " or ".join("keys with values" if isinstance(kind, str) else _NAMES[kind] for kind in kinds)
        notes.error("R004", *places[path], f"`{key[:80]}`: it needs {wanted}")
