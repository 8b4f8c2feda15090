"""Skill files for tests: the body of one, loaded."""

from __future__ import annotations

from pathlib import Path

from reviewbot.core.skill import load_skill
from reviewbot.core.types import Diagnostic, Skill, SkillOrigin

PATH = "skills/some-review/SKILL.md"
FRONT = "---\nname: some-review\ndescription: Review something.\n---\n"
TWIN = Path(__file__).parent / "skills_twin/distill-campaign-review/SKILL.md"
FRONT_LINES = 4


def load(
    text: str | bytes, path: str = PATH, origin: SkillOrigin = SkillOrigin.BASE
) -> tuple[Skill | None, tuple[Diagnostic, ...]]:
    data = text.encode() if isinstance(text, str) else text
    return load_skill(path, data, origin)


def skill_of(body: str) -> Skill:
    """The skill with this body. It must load."""
    skill, diagnostics = load(FRONT + body)
    assert skill is not None, diagnostics
    return skill


def codes(text: str | bytes, *, level: str = "error") -> list[str]:
    """`line:col CODE` of each diagnostic of a level."""
    return [f"{d.line}:{d.col} {d.code}" for d in load(text)[1] if d.level == level]
