"""The keys of an ast-grep rule. Within `has` and its like ast-grep passes over those that it does not
know: a misspelt `field` would be no error, and no condition."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from reviewbot.core.errors import nearest
from reviewbot.core.skill.diagnostics import MAX_ALIKE, Diagnostics
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
    faults = (fault for path, tree in trees for fault in _faults(tree, ("rule",), path))
    for number, (path, known) in enumerate(faults):
        # A remedy takes 0.1 ms to find, and nobody reads those behind the limit.
        notes.error("R004", *places[path], _said(path, known) if number < MAX_ALIKE else "")


def _faults(value: Any, kinds: Kinds, path: Path) -> Iterator[tuple[Path, Kinds | Collection[str]]]:
    """The path of each fault, and what may stand there: keys, where it is the key that is wrong."""
    known = next((_KEYS[kind] for kind in kinds if isinstance(kind, str)), None)
    if isinstance(value, dict) and known:
        for key, below in value.items():
            if key in known:
                yield from _faults(below, known[key], (*path, key))
            else:
                yield (*path, key), known.keys()
    elif isinstance(value, list) and list in kinds:
        for number, item in enumerate(value):
            yield from _faults(item, ("rule",), (*path, number))
    elif type(value) not in kinds:
        yield path, kinds


def _said(path: Path, known: Kinds | Collection[str]) -> str:
    key = next(part for part in reversed(path) if isinstance(part, str))[:80]
    if not isinstance(known, tuple):
        return f"`{key}`: unknown key; {nearest(key, known)}"
    wanted = " or ".join("keys with values" if isinstance(kind, str) else _NAMES[kind] for kind in known)
    return f"`{key}`: it needs {wanted}"
