"""A skill with all that belongs to it: the SKILL.md, and the rules beside it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping

from reviewbot.core.skill.load import load_skill
from reviewbot.core.skill.rules import astray, is_rule, load_rules
from reviewbot.core.types import Diagnostic, Skill, SkillOrigin

SKILL_FILE = "SKILL.md"


def load_bundle(
    path: str, files: Mapping[str, bytes], origin: SkillOrigin, beside: Collection[str] | None = None
) -> tuple[Skill | None, tuple[Diagnostic, ...]]:
    """The skill, or None where its SKILL.md is wrong; a broken rule is left out and named.

    `path` is that of the SKILL.md, for people; `files` are those of its folder by their paths in it,
    `SKILL.md` among them. `beside` are the names of all files there; None where nobody looked. The hash
    of the skill covers its rules.
    """
    skill, noticed = load_skill(path, files[SKILL_FILE], origin, beside)
    if skill is None:
        return None, noticed
    folder = path.rpartition("/")[0] or path
    rule_files = {name: data for name, data in files.items() if is_rule(name)}
    rules, faults = load_rules(folder, rule_files, skill.classes)
    noticed = (*noticed, *faults, *astray(folder, files))
    hash = _hash(files[SKILL_FILE], rule_files) if rule_files else skill.hash
    return skill._replace(rules=rules, hash=hash, diagnostics=noticed), noticed


def _hash(skill_file: bytes, rule_files: Mapping[str, bytes]) -> str:
    whole = hashlib.sha256(hashlib.sha256(skill_file).digest())
    for name, data in sorted(rule_files.items()):
        whole.update(hashlib.sha256(name.encode("utf-8", "surrogateescape")).digest())
        whole.update(hashlib.sha256(data).digest())
    return whole.hexdigest()[:12]
