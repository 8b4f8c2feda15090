"""What is wrong with a rule that was read and cannot be run: at its line, and with the remedy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.front.plainyaml import Path, Place, read_mapping
from reviewbot.core.skill.grammar import FIELDS, KINDS
from reviewbot.core.types import Diagnostic, Rule, RuleFault

SHOWN = 60  # characters of an example
DUMP = "`reviewbot skills dump FILE` shows the tree"
CHECK = "`reviewbot skills check` tries it again"

_KIND = re.compile(r"Kind `(.{1,80}?)` is invalid")
_FIELD = re.compile(r"invalid field (\S{1,80}?)\.?$")
_UTIL = re.compile(r"Rule `(.{1,80}?)` is not defined")
_REGEX = re.compile(r"regex parse error: (.*) error: (.*)")
_CAUSE = re.compile(r"`(?:rule|utils|constraints)` is not configured correctly\.: ")


def explained(rule: Rule, fault: RuleFault) -> Diagnostic:
    """An error at the line of the rule file that is to blame."""
    if fault.of in ("bad", "good"):
        place, message = _example(rule, fault)
    elif fault.of:
        place, message = _refused(rule, fault.why)
    else:
        place, message = None, f"the rule was not tried: {fault.why}; {CHECK}"
    return Diagnostic(rule.path, *(place or (rule.line, 1)), "R006", "error", message)


def _example(rule: Rule, fault: RuleFault) -> tuple[Place | None, str]:
    text: str = getattr(rule, fault.of)[fault.example].strip().partition("\n")[0]
    text = text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
    place = _place(rule, lambda path, _: path == (fault.of, fault.example))
    return place, f"{fault.of} example {fault.example + 1} {fault.why}: `{text}`; {DUMP}"


def _refused(rule: Rule, why: str) -> tuple[Place | None, str]:
    """What ast-grep says. It tells of no place, so the word that it names is looked up."""
    if found := _KIND.search(why):
        near = _near(found[1], KINDS.get(rule.language, ()))
        return _at(rule, found[1], "kind", "selector"), f"{rule.language} has no kind `{found[1]}`; {near}"
    if found := _FIELD.search(why):
        near = _near(found[1], FIELDS.get(rule.language, ()))
        return _at(rule, found[1], "field"), f"{rule.language} has no field `{found[1]}`; {near}"
    if found := _UTIL.search(why):
        return _at(rule, found[1], "matches"), f"`utils` has no `{found[1]}`; define it there"
    if found := _REGEX.search(why):
        pattern = found[1].rstrip("^ ")
        place = _place(rule, lambda path, value: path[-1] == "regex" and " ".join(value.split()) == pattern)
        return place, f"the regex `{pattern}` does not parse: {found[2]}; correct it, {CHECK}"
    said = _CAUSE.sub("", why).replace(".: ", ": ").rstrip(".")
    return None, f"{said}; correct the rule, {CHECK}"


def _near(name: str, known: tuple[str, ...]) -> str:
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    return f"did you mean `{near[0]}`?" if near else DUMP


def _at(rule: Rule, value: str, *keys: str) -> Place | None:
    return _place(rule, lambda path, found: path[-1] in keys and found == value)


def _place(rule: Rule, wanted: Callable[[Path, str], bool]) -> Place | None:
    """Of the first text in the rule's file that is `wanted`, given its path and itself."""
    read = read_mapping(rule.source, Diagnostics(rule.path))
    if read is None:
        return None
    tree, places = read
    return next((places[path] for path, text in _texts(tree) if wanted(path, text)), None)


def _texts(tree: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """The texts in a tree, in the order of the file."""
    parts = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in parts:
        if isinstance(value, str):
            yield (*path, key), value
        yield from _texts(value, (*path, key))
