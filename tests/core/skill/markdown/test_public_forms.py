"""All that is understood of skills in the forms that people give them."""

from __future__ import annotations

import pytest

from reviewbot.core.types import Severity
from tests.skill_forms import FORMS, Form
from tests.skillfiles import load

LETTER = {None: "-", Severity.BLOCKER: "B", Severity.WARNING: "W", Severity.NOTE: "N"}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_what_is_understood(form: Form):
    skill, diagnostics = load(form.text, form.path, form.origin)
    assert skill is not None, diagnostics
    assert skill.name == form.name
    assert ["!" * (c.kind == "suppress") + c.slug for c in skill.classes] == form.classes
    assert [c.rank for c in skill.classes] == list(range(1, len(form.classes) + 1))
    severities = "".join(LETTER[c.severity] for c in skill.classes)
    assert severities == (form.severities or "-" * len(form.classes))
    assert tuple(row.pattern for row in skill.scope) == form.scope
    assert (
        tuple(f"{gate.kind} {' '.join(gate.line.split('#')[0].split())}" for gate in skill.gates)
        == form.gates
    )
    assert tuple(step.split()[0] for step in skill.steps) == form.steps
    assert (skill.report.split() or [""])[0] == form.report
    noticed = [d for d in diagnostics if d.level != "info"]
    assert {f"{d.line}:{d.col} {d.code}" for d in noticed} == set(form.warnings)
    assert all(d.level == "warning" for d in noticed)
