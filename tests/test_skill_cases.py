"""The shipped skills pass their own tests, and these notice when a detector is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewbot.core.skill.cases import Case, read_case
from reviewbot.core.skill.choice import GENERAL
from reviewbot.core.types import Skill
from reviewbot.detectors import DETECTORS, bind
from reviewbot.wiring.inventory import at_path
from reviewbot.wiring.skilltests import run_skill_tests

ROOT = Path(__file__).resolve().parent.parent
# Of what is for a model only a case without one would show nothing.
NAMES = sorted(path.name for path in (ROOT / "skills").iterdir() if path.name != GENERAL)


def skill_of(name: str) -> Skill:
    (row,) = at_path(f"skills/{name}", str(ROOT))
    assert row.skill is not None, row.diagnostics
    return row.skill


def cases_of(skill: Skill) -> list[tuple[Case, str]]:
    """The cases of a shipped skill, with their folders."""
    folders = sorted((ROOT / "skills" / skill.name / "cases").glob("*/"))
    found = []
    for folder in folders:
        head = {str(path.relative_to(folder / "head")) for path in (folder / "head").rglob("*")}
        place = folder.relative_to(ROOT).as_posix()
        data = (folder / "expect.toml").read_bytes()
        found.append((read_case(folder.name, data, f"{place}/expect.toml", skill, head), place))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_case_is_right(name: str) -> None:
    skill = skill_of(name)
    tests = run_skill_tests([f"skills/{name}"], str(ROOT), needed=2)
    assert [f"{f.source}: {f.kind}: {f.what}" for f in tests.failures()] == []
    assert {o.case.name for o in tests.outcomes} == {case.name for case, _ in cases_of(skill)}


@pytest.mark.parametrize("gone", ["swallowed-failure", "blind-loop", "argument-hole"])
def test_a_detector_that_is_gone_is_missed(gone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found_by_it = []
    for skill in map(skill_of, NAMES):
        slugs = {b.defect.slug for b in bind.bind(skill, [DETECTORS[gone]])}
        found_by_it += [
            place
            for case, place in cases_of(skill)
            if not case.needs_model and any(e.slug in slugs for e in case.expected)
        ]
    assert run_skill_tests(found_by_it, str(ROOT)).verdict == "passed"
    monkeypatch.setattr(bind, "DETECTORS", {id: d for id, d in DETECTORS.items() if id != gone})
    failures = list(run_skill_tests(found_by_it, str(ROOT)).failures())
    assert "missed" in {failure.kind for failure in failures}
