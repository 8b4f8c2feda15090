"""What README.md and CONTRIBUTING.md show must be true."""

from __future__ import annotations

import json
import re
import shutil
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
(RULE,) = re.findall(r"```yaml\n(.*?\n)```\n", README, re.DOTALL)
REPORT, CASE = re.findall(r"```text\n(.*?\n)```\n", README, re.DOTALL)

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
    parts = REPORT.split("\n…\n\n")
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


def test_the_rule_and_the_case_in_the_readme_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = Repo(tmp_path / "repo")
    monkeypatch.chdir(repo.path)
    assert cli.run(["skills", "new", "launch-review"]) == 0
    folder = ".reviewbot/skills/launch-review"
    shutil.rmtree(repo.path / folder / "cases")
    shutil.rmtree(repo.path / folder / "rules")
    repo.write(f"{folder}/SKILL.md", SKILL)
    repo.write(f"{folder}/rules/no-time-limit.yml", RULE)
    for path, text in case_files(CASE).items():
        repo.write(f"{folder}/{path}", text)
    repo.write("launch/a.sh", "true\n")
    repo.commit("base")
    assert cli.run(["skills", "check", "--strict"]) == 0
    assert cli.run(["skills", "test"]) == 0
    repo.write("launch/a.sh", "sbatch --nodes 2 job.sbatch\n")
    repo.commit("head")
    capsys.readouterr()
    assert cli.run(["diff", "HEAD~1", "--format", "json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["detector"], finding["rank"]) == ("launch-review/no-time-limit", 3)


def case_files(block: str) -> dict[str, str]:
    """The files in two columns: a path, and beside it the lines of its text."""
    files: dict[str, str] = {}
    for line in block.splitlines():
        path, text = line[:41].strip(), line[41:]
        files |= {path: ""} if path else {}
        files[list(files)[-1]] += f"{text}\n"
    return files


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
    source = "".join(path.read_text() for path in (ROOT / "reviewbot").rglob("*.py"))
    explained = re.findall(r"^\| ([SR]\d{3}) \| \S", CONTRIBUTING, re.MULTILINE)
    assert sorted(explained) == sorted(set(re.findall(r"\b[SR]\d{3}\b", source)))
