"""What README.md and CONTRIBUTING.md show must be true."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import yaml
from ast_grep_py import SgRoot

from reviewbot import cli
from reviewbot.core.errors import ConfigError
from reviewbot.core.settings import parse_settings
from reviewbot.core.skill import load_skill
from reviewbot.core.skill.rulefile import RuleFile
from reviewbot.core.types import DefectClass, ModelTerms, Skill, SkillOrigin
from reviewbot.detectors import DETECTORS
from reviewbot.detectors.bind import bind
from reviewbot.detectors.shell.launches import is_launch
from reviewbot.detectors.shell.publications import publication
from tests.repos import Repo

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
(SKILL,) = re.findall(r"```markdown\n(.*?\n)```\n", README, re.DOTALL)
WORKFLOW, RULE = re.findall(r"```yaml\n(.*?\n)```\n", README, re.DOTALL)
(REMOVE,) = re.findall(r"```sh\n(rm .*?\n)```\n", README, re.DOTALL)
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


def test_the_workflow_in_the_readme_calls_a_command_that_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    workflow = yaml.safe_load(WORKFLOW)
    runs = [step["run"] for job in workflow["jobs"].values() for step in job["steps"]]
    [replay] = [shlex.split(run) for run in runs if run.startswith("reviewbot ")]
    assert cli.run([*replay[1:2], "--help"]) == 0
    assert replay[3] in capsys.readouterr().out
    assert set(workflow["permissions"].values()) == {"read", "write"}


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
    repo.write(f"{folder}/SKILL.md", SKILL)
    subprocess.run(["sh", "-c", REMOVE], check=True)
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


def test_the_rest_of_the_skeleton_beside_another_skill_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its `class = 1` was once the first class of whatever skill stood there."""
    repo = Repo(tmp_path / "repo")
    monkeypatch.chdir(repo.path)
    cli.run(["skills", "new", "launch-review"])
    folder = ".reviewbot/skills/launch-review"
    repo.write(f"{folder}/SKILL.md", SKILL)
    capsys.readouterr()
    assert cli.run(["skills", "check"]) == 2
    fault = f"{folder}/rules/world-writable.yml:5:1 R005 error the skill has no class `Files that everybody"
    said = capsys.readouterr().out
    assert fault in said
    assert "name one, or remove the rule\n" in said
    repo.file(f"{folder}/rules/world-writable.yml").unlink()
    assert cli.run(["skills", "test", "launch-review"]) == 2
    said = capsys.readouterr().err
    assert f"{folder}/cases/owner-only/expect.toml:2: launch-review has no class 'Files that" in said
    assert said.endswith("(left over from another skill? remove the case)\n")


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
    assert {"sbatch", "srun", "docker run", "train.py", "make release", "kubectl apply"} <= set(named)
    assert [w for w in named if not (is_launch(w.split()) or publication(w.split()))] == []


def test_the_titles_in_the_table_of_words_bind_their_detectors() -> None:
    rows = re.findall(r"^\| ([^|]+) \| `([a-z-]+)` \| [^|]+ \|$", CONTRIBUTING, re.MULTILINE)
    bound = []
    for title, _ in rows:
        defect = DefectClass(1, "c", title, "")
        skill = Skill("s", "", "SKILL.md", SkillOrigin.PATH, "0", classes=(defect,))
        bound.append((title, " ".join(b.detector.id for b in bind(skill, DETECTORS.values()))))
    assert bound == rows
    assert {id for _, id in rows} == set(DETECTORS)


def test_the_table_of_a_rule_file_has_its_fields() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|$", CONTRIBUTING, re.MULTILINE)
    written = fields(RuleFile)
    assert [name for name, _ in rows] == [
        *("id", "language", "class", "grade", "severity", "message", "cost", "fix", "rule", "utils"),
        *("constraints", "paths", "proof", "bad", "good"),
    ]
    assert {name for name, _ in rows} == {field.name.rstrip("_") for field in written}
    optional = {field.name for field in written if field.default is not MISSING}
    assert {name for name, text in rows if text.startswith("optional: ")} == optional
    said = dict(rows)
    assert f"`{RuleFile.grade}` (the default)" in said["grade"]
    hints = get_type_hints(RuleFile)
    for name in ("language", "grade", "severity"):
        known = [part for part in literals(hints[name]) if part]
        assert [part for part in known if f"`{part}`" not in said[name]] == []


def literals(hint: Any) -> list[str]:
    """The values of a Literal, or of those in a union."""
    return [
        value for part in get_args(hint) for value in ([part] if isinstance(part, str) else get_args(part))
    ]


def test_has_with_a_field_sees_the_first_argument_only() -> None:
    root = SgRoot("sbatch --nodes 2 --time 4 job.sbatch\n", "bash").root()
    of_field = {"kind": "command", "has": {"field": "argument", "regex": "^--time$"}}
    assert root.find_all({"rule": of_field}) == []
    assert len(root.find_all({"rule": {"kind": "command", "has": {"regex": "^--time$"}}})) == 1


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
    assert sorted(explained) == sorted(set(re.findall(r"\b[SR][01]\d\d\b", source)))


def test_the_readme_has_all_keys_of_the_model() -> None:
    [text] = re.findall(r"```toml\n(\[model\]\n.*?)```", README, re.DOTALL)
    written = re.findall(r"^(\w+) = ", text, re.MULTILINE)
    without_key = {"thorough", "rounds", "lookup_bytes"}
    assert {*written} == {*ModelTerms._fields} - without_key
    for name in sorted(without_key):
        with pytest.raises(ConfigError, match=f"unknown key model.{name}"):
            parse_settings(f"[model]\n{name} = 1".encode(), "config.toml")


@pytest.mark.parametrize("table", ["gates", "model"])
def test_the_configuration_in_the_readme_can_be_read(table: str) -> None:
    [text] = re.findall(rf"```toml\n(\[{table}\]\n.*?)```", README, re.DOTALL)
    written = re.findall(r"^(\w+) = ", text, re.MULTILINE)
    terms = getattr(parse_settings(text.encode(), "config.toml"), table)
    assert len(written) > 5
    assert [name for name in written if name not in terms._fields] == []
