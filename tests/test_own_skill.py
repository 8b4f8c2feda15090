"""The skill by which reviewbot reviews its own changes, and the configuration beside it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from reviewbot.core.settings import parse_settings
from tests.repos import Repo

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".reviewbot"
SKILL = HOME / "skills" / "reviewbot"


def reviewbot(*argv: str | Path, cwd: Path) -> tuple[int, str, str]:
    command = (sys.executable, "-m", "reviewbot", *argv)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_all_of_it_is_understood() -> None:
    status, said, told = reviewbot("skills", "check", "--strict", SKILL, cwd=ROOT)
    assert status == 0, said + told
    assert "10 classes (1 suppress)" in said


def test_its_cases_are_right_and_every_rule_has_two() -> None:
    """A class with a rule has a case in which it must be found, and one that only looks like it."""
    status, said, told = reviewbot("skills", "test", SKILL, "--format", "json", cwd=ROOT)
    assert status == 0, said + told
    rows = {row["class"]: row for row in json.loads(said)["classes"]}
    titles = {yaml.safe_load(path.read_text())["class"] for path in (SKILL / "rules").glob("*.yml")}
    slugs = {"-".join("".join(c if c.isalnum() else " " for c in title.lower()).split()) for title in titles}
    assert len(slugs) == 5
    assert {slug for slug in slugs if not (rows[slug]["found"] and rows[slug]["clean"])} == set()


def test_its_configuration_is_one() -> None:
    settings = parse_settings((HOME / "config.toml").read_bytes(), "config.toml")
    assert not settings.gates.execute
    assert settings.pull.fail_on == "warning"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository with our skill and configuration at its base."""
    made = Repo(tmp_path / "repo")
    shutil.copytree(HOME, made.path / ".reviewbot")
    made.write("reviewbot/hosts/pages.py", "from __future__ import annotations\n")
    made.commit()
    made.git("switch", "-q", "-c", "topic")
    return made


SWALLOWED = """\
from __future__ import annotations


def files(client: Client) -> tuple[str, ...]:
    try:
        return tuple(client.files())
    except Exception:{comment}
        return ()
"""


def test_a_change_of_ours_is_reviewed_by_it(repo: Repo) -> None:
    repo.write("reviewbot/hosts/pages.py", SWALLOWED.format(comment=""))
    repo.commit()
    status, said, told = reviewbot("diff", "main", "--format", "json", cwd=repo.path)
    assert status == 1, told
    review = json.loads(said)
    (finding,) = review["findings"]
    assert (finding["skill"], finding["class"], finding["start_line"]) == (
        "reviewbot",
        "unknown-becomes-fine",
        7,
    )
    assert {gate["status"] for gate in review["gates"]} <= {"passed", "skipped"}


def test_a_change_that_says_why_is_clean(repo: Repo) -> None:
    repo.write("reviewbot/hosts/pages.py", SWALLOWED.format(comment="  # the page says that it is partial"))
    repo.commit()
    status, said, told = reviewbot("diff", "main", "--format", "json", cwd=repo.path)
    assert status == 0, said + told
    assert json.loads(said)["verdict"] == "clean"
