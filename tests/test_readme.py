"""What README.md and CONTRIBUTING.md show must be true."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from reviewbot import cli
from reviewbot.core.skill import load_skill
from reviewbot.core.types import DefectClass, Skill, SkillOrigin
from reviewbot.detectors import DETECTORS
from reviewbot.detectors.bind import bind
from reviewbot.detectors.shell.launches import is_launch
from tests.repos import Repo

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
(SKILL,) = re.findall(r"```markdown\n(.*?\n)```\n", README, re.DOTALL)

LAUNCHER = """\
#!/bin/bash
CONFIG="$1"
until curl -sf "$SERVER/health"; do
    sleep 5
done
python3 prepare.py "$CONFIG"
sbatch job.sbatch "$CONFIG"
"""


def test_the_report_in_the_readme_is_that_of_the_demo(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```text\n(.*?\n)```\n", README, re.DOTALL)
    parts = block.split("\n…\n\n")
    assert len(parts) == 3
    assert cli.run(["demo"]) == 0
    demo = capsys.readouterr().out
    assert [part for part in parts if part not in demo] == []


def test_the_skill_in_the_readme_works() -> None:
    skill, diagnostics = load_skill("launch-review/SKILL.md", SKILL.encode(), SkillOrigin.BASE)
    assert [d for d in diagnostics if d.level != "info"] == []
    assert skill is not None
    assert [row.pattern for row in skill.scope] == ["launch/*.sh"]
    assert [(b.detector.id, b.defect.rank) for b in bind(skill, DETECTORS.values())] == [
        ("swallowed-failure", 1),
        ("blind-loop", 2),
    ]


def test_the_skill_in_the_readme_finds_what_its_classes_describe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.write(".reviewbot/skills/launch-review/SKILL.md", SKILL)
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    repo.write("launch/h200.sh", LAUNCHER)
    repo.commit("head")
    monkeypatch.chdir(repo.path)
    assert cli.run(["diff", "main", "--skill", "launch-review", "--format", "json"]) == 1
    review = json.loads(capsys.readouterr().out)
    assert [(f["skill"], f["rank"], f["quote"]) for f in review["findings"]] == [
        ("launch-review", 1, 'python3 prepare.py "$CONFIG"'),
        ("launch-review", 2, 'until curl -sf "$SERVER/health"; do'),
    ]
    assert review["findings"][0]["suggestion"]["replacement"] == 'python3 prepare.py "$CONFIG" || exit 1'


def test_what_the_readme_calls_a_launch_is_one() -> None:
    (commands,) = re.findall(r"launches are\n(.*?)\. A failed step", README, re.DOTALL)
    named = [words for words in re.findall(r"`([^`]+)`", commands) if not words.startswith("reviewbot/")]
    assert {"sbatch", "srun", "docker run", "train.py"} <= set(named)
    assert [words for words in named if not is_launch(words.split())] == []


def test_the_titles_in_the_table_of_words_bind_their_detectors() -> None:
    rows = re.findall(r"^\| ([^|]+) \| `([a-z-]+)` \| [^|]+ \|$", CONTRIBUTING, re.MULTILINE)
    bound = []
    for title, _ in rows:
        defect = DefectClass(1, "c", title, "")
        skill = Skill("s", "", "SKILL.md", SkillOrigin.PATH, "0", classes=(defect,))
        bound.append((title, " ".join(b.detector.id for b in bind(skill, DETECTORS.values()))))
    assert bound == rows
    assert {id for _, id in rows} == set(DETECTORS)


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
    explained = re.findall(r"^\| (S\d{3}) \| \S", CONTRIBUTING, re.MULTILINE)
    assert explained == sorted(set(re.findall(r"\bS\d{3}\b", source)))
