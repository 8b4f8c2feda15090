"""What README.md and CONTRIBUTING.md show must be true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reviewbot.core.skill import load_skill
from reviewbot.core.types import SkillOrigin
from reviewbot.detectors import DETECTORS
from reviewbot.detectors.bind import bind

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()


def test_the_skill_in_the_readme_works() -> None:
    (text,) = re.findall(r"```markdown\n(.*?\n)```\n", README, re.DOTALL)
    skill, diagnostics = load_skill("deploy-review/SKILL.md", text.encode(), SkillOrigin.BASE)
    assert [d for d in diagnostics if d.level != "info"] == []
    assert skill is not None
    assert [row.pattern for row in skill.scope] == ["deploy/*.sh"]
    assert [(b.detector.id, b.defect.rank) for b in bind(skill, DETECTORS.values())] == [
        ("swallowed-failure", 1),
        ("blind-loop", 2),
    ]


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_path_that_a_page_names_exists(page: str) -> None:
    text = (ROOT / page).read_text()
    named = set(
        re.findall(r"`((?:reviewbot|tests|scripts|bench|core|detectors|hosts|skills)/[\w./]*)`", text)
    )
    named |= set(re.findall(r"\]\(([\w./]+)\)", text))
    missing = {
        path for path in named if not any((root / path).exists() for root in (ROOT, ROOT / "reviewbot"))
    }
    assert named
    assert missing == set()


def test_every_code_of_a_skill_file_is_explained() -> None:
    source = "".join(path.read_text() for path in (ROOT / "reviewbot" / "core" / "skill").glob("*.py"))
    explained = re.findall(r"^\| (S\d{3}) \| \S", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    assert explained == sorted(set(re.findall(r"\bS\d{3}\b", source)))
