"""Which of the skills that were found take part in a review."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from reviewbot.core.patterns import pattern
from reviewbot.core.skill.front.manifest import name_of
from reviewbot.core.types import Skill, SkillOrigin

GENERAL = "change-review"  # built in; what it looks for no detector can know
WITHOUT_MODEL = "for a model only, and none is on"
OWN_FOLDER = ".reviewbot/skills/"
REVIEWS = pattern(r"review|audit", re.IGNORECASE)
STATED = 2_048  # bytes; a description has at most 1,024 characters
PURPOSE = pattern(r"^(?:name|description)[ \t]*:.*(?:\n[ \t].*)*", re.MULTILINE)

Listed = tuple[tuple[Skill, str], ...]


def choose(
    found: Sequence[Skill],
    builtin: Sequence[Skill],
    use: Collection[str],
    disable: Collection[str],
    *,
    model: bool = False,
) -> tuple[tuple[Skill, ...], Listed]:
    """(active, listed with the reason). `found` are the repository's, the preferred folder first; one
    that takes part replaces a built-in one of its name. `model`: whether one is on. Names in `use` and
    `disable` that no skill bears are the caller's to report."""
    active: dict[str, Skill] = {}
    listed: list[tuple[Skill, str]] = []
    offered = [(skill, _why_not(skill, use)) for skill in found]
    offered += [(skill, WITHOUT_MODEL if is_general(skill) and not model else "") for skill in builtin]
    for skill, reason in offered:
        if skill.name in disable:
            reason = "disabled in the configuration"
        elif not reason and skill.name in active:
            reason = f"replaced by {active[skill.name].path}"
        if reason:
            listed.append((skill, reason))
        else:
            active[skill.name] = skill
    return tuple(active.values()), tuple(listed)


def is_general(skill: Skill) -> bool:
    """Whether this is the skill that a model follows where the repository has none of its own."""
    return skill.origin is SkillOrigin.BUILTIN and skill.name == GENERAL


def _why_not(skill: Skill, use: Collection[str]) -> str:
    if skill.path.startswith(OWN_FOLDER) or skill.name in use:
        return ""
    if not skill.classes:
        return "it has no defect classes"
    return (
        ""
        if speaks_of_review(skill)
        else "neither its name nor its description speaks of a review or an audit"
    )


def speaks_of_review(skill: Skill) -> bool:
    own = skill.path.startswith(OWN_FOLDER)
    return own or bool(REVIEWS.search(f"{skill.name} {skill.description}"))


def would_review(path: str, purpose: str, use: Collection[str], disable: Collection[str] = ()) -> bool:
    """Whether a skill file that did not load was meant to take part, as far as its path and what it says
    of itself tell."""
    name = name_of(path)
    if name in disable:
        return False
    return path.startswith(OWN_FOLDER) or name in use or bool(REVIEWS.search(f"{name} {purpose}"))


def stated_purpose(data: bytes) -> str:
    """The name and description at the beginning of a skill file, whatever is wrong with the rest of it."""
    text = data[:STATED].decode("utf-8", "replace").lstrip("\ufeff").replace("\r", "\n")
    if not text.startswith("---"):
        return ""
    return " ".join(PURPOSE.findall(text[3:].partition("\n---")[0]))
