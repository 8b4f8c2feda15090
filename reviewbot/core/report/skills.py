"""What was understood of a skill, as JSON, schema `reviewbot.skill/1`: a public contract, word by word.

skill.schema.json beside this file describes it. `check` wraps the skills of a run and counts what was
noticed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from reviewbot.core.report.document import Document, written
from reviewbot.core.types import DefectClass, Diagnostic, Skill, SkillOrigin

SCHEMA = "reviewbot.skill/1"


class Bound(NamedTuple):
    """A detector that speaks for a class, and the words of the class that say so."""

    id: str
    because: tuple[str, ...]
    summary: str


class Sheet(NamedTuple):
    """What was understood of one skill file."""

    path: str  # of the skill file, for people
    origin: SkillOrigin
    skill: Skill | None  # None: it is not loaded, and the diagnostics say why
    bound: Mapping[str, Sequence[Bound]]  # slug of a class -> its detectors
    diagnostics: tuple[Diagnostic, ...]
    absent: str = ""  # why it takes no part in a review here


def noticed(sheets: Sequence[Sheet], level: str) -> int:
    """How many diagnostics of a level there are."""
    return sum(d.level == level for sheet in sheets for d in sheet.diagnostics)


def render(sheet: Sheet) -> str:
    return written(document(sheet))


def render_all(sheets: Sequence[Sheet]) -> str:
    return written(
        {
            "skills": [document(sheet) for sheet in sheets],
            "errors": noticed(sheets, "error"),
            "warnings": noticed(sheets, "warning"),
        }
    )


def document(sheet: Sheet) -> Document:
    """Of a skill that is not loaded the name is empty, and so are the lists."""
    skill = sheet.skill or Skill("", "", sheet.path, sheet.origin, "")
    return {
        "schema": SCHEMA,
        "name": skill.name,
        "description": skill.description,
        "path": skill.path,
        "origin": skill.origin.value,
        "hash": skill.hash,
        "scope": [{"stage": r.stage, "pattern": r.pattern, "owns": r.owns} for r in skill.scope],
        "classes": [_class(skill, c, sheet.bound.get(c.slug, ())) for c in skill.classes],
        "steps": list(skill.steps),
        "gates": [
            {"line": g.line, "argv": list(g.argv), "kind": g.kind, "reason": g.reason} for g in skill.gates
        ],
        "report": skill.report,
        "absent": sheet.absent,
        "diagnostics": [d._asdict() for d in sheet.diagnostics],
    }


def _class(skill: Skill, defect: DefectClass, bound: Sequence[Bound]) -> Document:
    return {
        "rank": defect.rank,
        "slug": defect.slug,
        "title": defect.title,
        "kind": defect.kind,
        "detectors": [{"id": b.id, "because": list(b.because)} for b in bound],
        "rules": [rule.id for rule in skill.rules if rule.slug == defect.slug],
    }
