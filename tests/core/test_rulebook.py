"""A change that edits the rules is reviewed by those of base, and says so as a finding of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from tests.repos import Repo

SKILL = """---
name: waits
description: Review of waits.
---

# Waits

## Files in scope

| Stage | File | Owns |
|---|---|---|
| all | `*.sh` | waits |

## Defect classes

1. **An unbounded wait.** A poll without a limit. Fix: a limit.
"""
WAIT = "until curl -sf localhost:8000; do sleep 1; done\n"


Tree = dict[str, str | None]
Reviewed = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def reviewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Reviewed:
    """The exit code and the JSON report of the change from one tree to the next (None deletes)."""

    def run(base: Tree, head: Tree, *options: str) -> tuple[int, dict[str, Any]]:
        repo = Repo(tmp_path / "repo")
        for tree in (base, head):
            for path, text in tree.items():
                repo.rm(path) if text is None else repo.write(path, text)
            repo.commit("x")
        monkeypatch.chdir(repo.path)
        code = cli.run(["diff", "HEAD~1", "--format", "json", *options])
        return code, json.loads(capsys.readouterr().out)

    return run


PATH = ".reviewbot/skills/waits/SKILL.md"


def test_an_edited_skill_is_not_obeyed_and_is_a_finding(reviewed: Reviewed) -> None:
    loosened = SKILL.replace("1. **An unbounded wait.**", "1. **Nothing.**")
    code, report = reviewed({PATH: SKILL}, {PATH: loosened, "a.sh": WAIT})
    (wait, edit) = report["findings"]
    assert (wait["path"], wait["class"]) == ("a.sh", "an-unbounded-wait")
    assert (edit["path"], edit["line"], edit["severity"]) == (PATH, 16, "note")
    assert edit["quote"] == "1. **Nothing.** A poll without a limit. Fix: a limit."
    assert (edit["class"], edit["detector"], edit["placement"]) == ("changed-rules", None, "table")
    assert "`.reviewbot/skills/waits`" in edit["failure"]
    assert (code, report["verdict"]) == (1, "findings")


def test_an_edited_skill_alone_fails_nobody_but_is_said(reviewed: Reviewed) -> None:
    code, report = reviewed({PATH: SKILL}, {PATH: SKILL + "\nMore.\n"})
    assert [f["class"] for f in report["findings"]] == ["changed-rules"]
    assert (code, report["verdict"]) == (0, "findings")


def test_a_skill_that_no_longer_loads_is_named(reviewed: Reviewed) -> None:
    _, report = reviewed({PATH: SKILL}, {PATH: SKILL.replace("description:", "descr:")})
    assert "At head it does not load" in report["findings"][0]["failure"]
    assert "S004" in report["findings"][0]["failure"]


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        (PATH, SKILL, "next change on."),
        (".claude/skills/waits/SKILL.md", SKILL, "next change on."),
        (PATH, "no front matter\n", "At head it does not load: line 1: S002 no front matter"),
        (".claude/skills/waits/SKILL.md", SKILL.replace("Review", "Hunt"), "names it: neither its name nor"),
        (".reviewbot/config.toml", "# nothing\n", "next change on."),
    ],
)
def test_what_is_new_loosens_nothing(reviewed: Reviewed, path: str, text: str, said: str) -> None:
    """It was once said to be edited, and to loosen what no review had asked for."""
    _, report = reviewed({"x": "x"}, {path: text})
    (edit,) = report["findings"]
    subject = (
        "the configuration" if path.endswith(".toml") else f"the skill `{path.removesuffix('/SKILL.md')}`"
    )
    assert edit["failure"].startswith(
        f"This change adds {subject}. It had no effect on this review; it counts from the next change on."
    )
    assert said in edit["failure"]
    assert edit["cost"] == "From then on it decides what is reported, and what never is."


def test_no_option_is_advised_that_reads_no_configuration(reviewed: Reviewed) -> None:
    _, report = reviewed({"x": "x"}, {".reviewbot/config.toml": "# nothing\n"})
    assert "--skill" not in report["findings"][0]["fix"]
    _, report = reviewed({"x": "x"}, {PATH: SKILL})
    assert "`reviewbot diff --skill PATH`" in report["findings"][0]["fix"]


def test_a_rule_more_is_an_edit_of_its_skill(reviewed: Reviewed) -> None:
    _, report = reviewed({PATH: SKILL}, {".reviewbot/skills/waits/rules/a.yml": "a: b\n"})
    assert report["findings"][0]["failure"].startswith(
        "This change edits the skill `.reviewbot/skills/waits`."
    )


def test_a_skill_that_is_moved_away_is_deleted(reviewed: Reviewed) -> None:
    _, report = reviewed({PATH: SKILL}, {PATH: None, "docs/waits.md": SKILL})
    assert report["findings"][0]["failure"].startswith(
        "This change deletes the skill `.reviewbot/skills/waits`."
    )


def test_a_deleted_skill_is_quoted_from_base(reviewed: Reviewed) -> None:
    _, report = reviewed({PATH: SKILL, "a.sh": "true\n"}, {PATH: None, "a.sh": WAIT})
    edit = report["findings"][-1]
    assert edit["failure"].startswith(
        "This change deletes the skill `.reviewbot/skills/waits`. It still counted"
    )
    assert edit["cost"] == "What it asked for is missing from every later review."
    assert (edit["side"], edit["line"], edit["quote"]) == ("LEFT", 1, "---")
    assert report["findings"][0]["class"] == "an-unbounded-wait"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (".reviewbot/config.toml", True),
        (".claude/skills/waits/SKILL.md", True),
        ("skills/waits/rules/a.yml", True),
        ("skills/waits/cases/a/head/a.sh", False),
        ("skills/readme.md", False),
        (".reviewbot/skills/team/waits/SKILL.md", True),
        (".reviewbot/skills/SKILL.md", True),
        ("skills/waits/cases/a/head/rules/a.yml", False),
        ("skills/waits/scripts/run.sh", False),
        ("src/skills/waits/SKILL.md", False),
    ],
)
def test_which_files_are_rules(reviewed: Reviewed, path: str, said: bool) -> None:
    _, report = reviewed({"x": "x"}, {path: "# nothing\n"})
    assert [f["class"] for f in report["findings"]] == ["changed-rules"] * said


def test_rules_of_one_skill_are_one_finding(reviewed: Reviewed) -> None:
    rules = {f".reviewbot/skills/waits/rules/{name}.yml": "a: b\n" for name in "abc"}
    _, report = reviewed({"x": "x"}, {PATH: SKILL, **rules})
    (edit,) = report["findings"]
    assert [also["path"] for also in edit["also"]] == sorted(rules)


def test_a_skill_that_is_emptied_is_an_edit(reviewed: Reviewed) -> None:
    """The empty text at head hid the quote at base, and the finding was rejected as unquoted."""
    _, report = reviewed({PATH: SKILL}, {PATH: "", "x": "x"})
    (edit,) = report["findings"]
    assert (edit["class"], edit["side"], edit["quote"]) == ("changed-rules", "LEFT", "---")
    assert report["rejections"] == []
