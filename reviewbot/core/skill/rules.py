"""The rules of a skill: the files of its `rules/` as values, each bound to a class of the skill.

A broken rule is left out and named; the others, and the skill, stay. What only ast-grep can judge (a
kind that its grammar lacks, an example that is not matched) is found when the rule is first run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reviewbot.core.globs import MAX_TOTAL, TOO_MANY, BadPattern, glob_of, size_of
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.front.manifest import KEBAB
from reviewbot.core.skill.front.plainyaml import Path, Place, read_mapping
from reviewbot.core.skill.parts.classes import slug
from reviewbot.core.skill.rulefile import RuleFile, rule_file
from reviewbot.core.skill.ruleproof import read_proof
from reviewbot.core.skill.ruletree import check_trees
from reviewbot.core.types import DefectClass, Diagnostic, Grade, Rule, Severity

MAX_BYTES = 64 * 1024
MAX_RULES = 100
MAX_ID = 64
MAX_PATHS = 200
IN_RULES = re.compile(r"rules/.*\.ya?ml", re.DOTALL)
# Where people put rules by mistake: beside SKILL.md, into `rule/`, behind one more ending.
ASIDE = re.compile(r"(?:rules?/)?[^/]+\.ya?ml[^/]*$", re.DOTALL | re.IGNORECASE)
RULE_KEYS = (re.compile(rb"^rule:", re.MULTILINE), re.compile(rb"^language:", re.MULTILINE))
METAVARIABLE = re.compile(r"\$+([A-Z_][A-Z0-9_]*)")
UNKNOWN_VARIABLE = "no pattern of the rule holds `${0}`; write `${{{0}}}` for the text itself"


def is_rule(path: str) -> bool:
    """Whether a file of a skill's folder, by its path in there, is meant as a rule."""
    return IN_RULES.fullmatch(path) is not None


def may_be_astray(path: str) -> bool:
    """Whether a file of a skill's folder is none of its rules, and may be meant as one."""
    return ASIDE.match(path) is not None and not is_rule(path)


def astray(folder: str, files: Mapping[str, bytes]) -> tuple[Diagnostic, ...]:
    """A warning for each file that holds a rule and is not read."""
    message = "this rule is not read; rules lie in `rules/*.yml` of the skill: move it there"
    return tuple(
        Diagnostic(f"{folder}/{path}", 1, 1, "R001", "warning", message)
        for path, data in sorted(files.items())
        if may_be_astray(path) and all(key.search(data) for key in RULE_KEYS)
    )


def load_rules(
    folder: str, files: Mapping[str, bytes], classes: Sequence[DefectClass]
) -> tuple[tuple[Rule, ...], tuple[Diagnostic, ...]]:
    """The rules among `files` (by their paths in the skill's folder, which `folder` names for people).

    Never raises for what a file holds. An error names a rule that was left out.
    """
    rules: dict[str, Rule] = {}
    diagnostics: list[Diagnostic] = []
    spelled = 0
    for number, path in enumerate(sorted(filter(is_rule, files)), start=1):
        notes = Diagnostics(f"{folder}/{path}")
        if number > MAX_RULES:
            notes.error("R001", 1, 1, f"more than {MAX_RULES} rules; this and those behind it are not read")
            diagnostics += notes.sorted()
            break
        rule = _rule(path, files[path], classes, rules, notes)
        if rule and not notes.failed:
            spelled += size_of(rule.paths)
            if spelled > MAX_TOTAL:
                notes.error("R009", rule.line, 1, f"with `paths` of this rule, the skill has {TOO_MANY}")
            else:
                rules[rule.id] = rule
        diagnostics += notes.sorted()
    return tuple(rules.values()), tuple(diagnostics)


def _rule(
    path: str, data: bytes, classes: Sequence[DefectClass], others: Mapping[str, Rule], notes: Diagnostics
) -> Rule | None:
    text = _decode(path, data, notes)
    read = read_mapping(text, notes) if text is not None else None
    if text is None or read is None:
        return None
    values, places = read
    found = rule_file(values, places, notes)
    if found is None:
        return None
    _check_id(found.id, others, places[("id",)], notes)
    check_trees(_trees(found), places, notes)
    _check_message(found, places[("message",)], notes)
    if len(found.paths or ()) > MAX_PATHS:
        notes.error("R009", *places[("paths",)], f"more than {MAX_PATHS} patterns")
        return None
    for number, glob in enumerate(found.paths or ()):
        try:
            glob_of(glob)
        except BadPattern as error:
            notes.error("R009", *places["paths", number], str(error))
    proof = read_proof(found.proof, places[("proof",)], notes) if found.proof is not None else ()
    defect = _class(found.class_, classes, places[("class",)], notes)
    if defect is None:
        return None
    line = places[("rule",)][0]
    return _value(found, defect)._replace(proof=proof, path=notes.path, line=line, source=text)


def _value(found: RuleFile, defect: DefectClass) -> Rule:
    config = {"rule": found.rule, "utils": found.utils, "constraints": found.constraints}
    return Rule(
        id=found.id,
        language=found.language,
        slug=defect.slug,
        grade=Grade(found.grade),
        message=" ".join(found.message.split()),
        cost=" ".join(found.cost.split()),
        fix=" ".join(found.fix.split()),
        config=json.dumps({key: value for key, value in config.items() if value}),
        bad=tuple(found.bad),
        good=tuple(found.good),
        severity=Severity(found.severity) if found.severity else None,
        paths=tuple(found.paths or ()),
    )


def _decode(path: str, data: bytes, notes: Diagnostics) -> str | None:
    """The text with LF line ends; None with an error in `notes`."""
    if path.count("/") > 1:
        notes.error("R001", 1, 1, "rules lie in `rules/` itself, not in a folder of it; move the file up")
    elif len(data) > MAX_BYTES:
        notes.error("R001", 1, 1, f"{len(data):,} bytes; the limit of a rule is {MAX_BYTES:,}")
    else:
        try:
            return data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            notes.error("R001", line, 1, f"byte 0x{data[error.start]:02x} is not UTF-8")
    return None


def _check_id(id: str, others: Mapping[str, Rule], place: Place, notes: Diagnostics) -> None:
    if not KEBAB.fullmatch(id) or len(id) > MAX_ID:
        message = f"`{id[:80]}` is not lower-case words joined by hyphens, at most {MAX_ID} characters"
        notes.error("R007", *place, message)
    elif id in others:
        notes.error("R007", *place, f"{others[id].path} is called `{id}` too; give this one another id")


def _check_message(found: RuleFile, place: Place, notes: Diagnostics) -> None:
    defined = {name for _, tree in _trees(found) for name in _variables(tree)}
    for name in dict.fromkeys(METAVARIABLE.findall(found.message)):
        if name not in defined:
            notes.error("R008", *place, UNKNOWN_VARIABLE.format(name))


def _trees(found: RuleFile) -> Iterator[tuple[Path, Any]]:
    """Each rule that the file holds, with its path."""
    yield ("rule",), found.rule
    for name in ("utils", "constraints"):
        yield from (((name, key), tree) for key, tree in (getattr(found, name) or {}).items())


def _variables(tree: Any, *, pattern: bool = False) -> Iterator[str]:
    """The metavariables of all patterns in a tree of rules. `$_NAME` captures nothing."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from _variables(value, pattern=pattern or key == "pattern")
    elif isinstance(tree, list):
        for value in tree:
            yield from _variables(value, pattern=pattern)
    elif pattern and isinstance(tree, str):
        yield from (name for name in METAVARIABLE.findall(tree) if name[0] != "_")


def _class(
    written: int | str, classes: Sequence[DefectClass], place: Place, notes: Diagnostics
) -> DefectClass | None:
    """The class with that number, slug or title. One that only suppresses reports nothing."""
    known = {str(c.rank): c for c in classes} | {c.slug: c for c in classes}
    found = known.get(str(written)) or known.get(slug(str(written)))
    if found is None:
        names = ", ".join(f"{c.rank} `{c.slug}`" for c in classes if c.kind == "defect") or "none"
        message = f"the skill has no class `{str(written)[:80]}`; it has {names[:500]}"
        notes.error("R005", *place, f"{message}; name one, or remove the rule")
    elif found.kind != "defect":
        notes.error("R005", *place, f"`{found.title}` says what is never reported; name another class")
        return None
    return found
