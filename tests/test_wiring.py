"""What the repository says at base is obeyed, what the change says of itself is not (law 8)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from tests.repos import Repo

VERIFIER = "def verify_names(old, new):\n    assert old == new\n"
SKILL = """\
---
name: {name}
description: "Review of our checks."
---
# Checks

## Files in scope
| Stage | File | Owns |
|---|---|---|
| check | `*.py` | the checks |

## Defect classes
1. **`assert` in our verifier.** `python -O` deletes it. Fix: raise.
"""
CONFIG = ".reviewbot/config.toml"
ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.write("README.md", "x\n")
    monkeypatch.chdir(repo.path)
    return repo


def branch(repo: Repo) -> None:
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    repo.write("tools/check_names.py", VERIFIER)


def review(repo: Repo, capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, dict[str, Any]]:
    repo.commit("head")
    code = cli.run(["diff", "main", "--format", "json", *argv])
    out, err = capsys.readouterr()
    assert err == ""
    return code, json.loads(out)


def error(repo: Repo, capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    repo.commit("head")
    assert cli.run(["diff", "main", *argv]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err


def names(report: dict[str, Any]) -> list[tuple[str, str]]:
    return [(s["name"], s["origin"]) for s in report["skills"]]


def test_a_skill_of_the_repository_reviews_beside_the_built_in_ones_and_owns_the_finding(repo, capsys):
    repo.write(".reviewbot/skills/ours/SKILL.md", SKILL.format(name="ours"))
    branch(repo)
    _, report = review(repo, capsys)
    assert ("ours", "base") in names(report)
    assert ("silent-failures", "builtin") in names(report)
    assert [(f["skill"], f["title"]) for f in report["findings"]] == [("ours", "`assert` in our verifier")]


def test_a_skill_of_a_built_in_name_replaces_it(repo, capsys):
    repo.write(".reviewbot/skills/silent-failures/SKILL.md", SKILL.format(name="silent-failures"))
    branch(repo)
    _, report = review(repo, capsys)
    assert ("silent-failures", "base") in names(report)
    assert ("silent-failures", "builtin") not in names(report)


def test_a_skill_that_the_change_brings_is_not_obeyed(repo, capsys):
    branch(repo)
    repo.write(".reviewbot/skills/silent-failures/SKILL.md", SKILL.format(name="silent-failures"))
    _, report = review(repo, capsys)
    assert ("silent-failures", "base") not in names(report)


LAUNCH = ".reviewbot/skills/launch-review"
FORGOTTEN = (
    "launch-review is not at base and took no part: commit it to the base branch, or name it with --skill "
)


def test_a_skill_that_nobody_committed_is_no_silence(repo, capsys):
    branch(repo)
    repo.commit("head")
    repo.write(f"{LAUNCH}/SKILL.md", SKILL.format(name="launch-review"))
    assert cli.run(["diff", "main", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["verdict"], report["notes"]) == ("findings", [FORGOTTEN + LAUNCH])
    assert cli.run(["diff", "main"]) == 0
    assert f"skill notes  {FORGOTTEN[:60]}" in capsys.readouterr().out
    assert cli.run(["diff", "main", "--format", "markdown"]) == 0
    assert "## Notes on the skills\n\n- launch-review is not at base" in capsys.readouterr().out
    assert cli.run(["diff", "main", "--format", "json", "--skill", LAUNCH]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == []


def test_the_folder_of_a_forgotten_skill_is_named_as_it_is_seen_from_here(repo, capsys, monkeypatch):
    branch(repo)
    repo.write(f"{LAUNCH}/SKILL.md", SKILL.format(name="launch-review"))
    monkeypatch.chdir(repo.path / "tools")
    _, report = review(repo, capsys)
    assert report["notes"] == [f"{FORGOTTEN}../{LAUNCH}"]


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        (".claude/skills/a-review/SKILL.md", SKILL.format(name="a-review"), ["a-review"]),
        (".claude/skills/slides/SKILL.md", "---\nname: slides\ndescription: Make slides.\n---\n", []),
        (".reviewbot/skills/broken/SKILL.md", "no front matter\n", ["broken"]),
        (".reviewbot/skills/off/SKILL.md", SKILL.format(name="silent-failures"), []),
        (".agents/skills/ours/SKILL.md", SKILL.format(name="ours"), []),
        ("docs/skills/x/SKILL.md", SKILL.format(name="x"), []),
    ],
)
def test_which_skills_are_missed_at_base(repo, capsys, path, text, said):
    repo.write(".reviewbot/skills/ours/SKILL.md", SKILL.format(name="ours"))
    repo.write(CONFIG, '[skills]\ndisable = ["silent-failures"]\n')
    branch(repo)
    repo.commit("head")
    repo.write(path, text)
    cli.run(["diff", "main", "--format", "json"])
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert [note.partition(" ")[0] for note in notes if "is not at base" in note] == said


def test_of_many_skills_that_base_lacks_the_rest_is_counted(repo, capsys):
    branch(repo)
    repo.commit("head")
    for number in range(23):
        repo.write(f".reviewbot/skills/review-{number}/SKILL.md", SKILL.format(name=f"review-{number}"))
    cli.run(["diff", "main", "--format", "json"])
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert (len(notes), notes[-1]) == (21, "3 more skills of the work tree are not at base")


def test_the_configuration_at_base_turns_a_skill_off_and_the_one_of_the_change_does_not(repo, capsys):
    repo.write(CONFIG, '[skills]\ndisable = ["silent-failures"]\n')
    branch(repo)
    repo.write(CONFIG, '[skills]\ndisable = ["launcher-adversarial-review"]\n')
    _, report = review(repo, capsys)
    assert "silent-failures" not in dict(names(report))
    assert "launcher-adversarial-review" in dict(names(report))


def test_the_limit_of_the_configuration_makes_a_review_incomplete(repo, capsys):
    repo.write(CONFIG, "[limits]\nmax_file_bytes = 20\n")
    branch(repo)
    code, report = review(repo, capsys)
    assert (code, report["verdict"]) == (3, "incomplete")
    assert [(i["stage"], i["what"]) for i in report["incomplete"]] == [("scope", "tools/check_names.py")]


def test_the_linters_obey_the_configuration_next_to_a_file(repo, capsys):
    repo.write("pyproject.toml", "[tool.ruff]\nline-length = 40\nlint.select = ['E501']\n")
    repo.write("tools/pyproject.toml", "[tool.ruff]\nline-length = 200\n")
    branch(repo)
    long = f"x = '{'x' * 60}'\n"
    repo.write("tools/long.py", long)
    repo.write("long.py", long)
    _, report = review(repo, capsys)
    assert [f["path"] for f in report["findings"] if f["class"] == "gate-ruff"] == ["long.py"]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            '[skills]\nuse = ["silent-failure"]\n',
            "use names 'silent-failure', which no skill is called; did you mean",
        ),
        ("[skil]\n", "config.toml:1: unknown key skil; did you mean skills?"),
    ],
)
def test_a_fault_in_the_configuration_is_one_line_with_the_remedy(repo, capsys, config, message):
    repo.write(CONFIG, config)
    branch(repo)
    assert message in error(repo, capsys)


def test_an_unknown_skill_on_the_command_line_lists_those_there_are(repo, capsys):
    branch(repo)
    line = error(repo, capsys, "--skill", "nothing")
    assert "--skill nothing: no such file or skill; known here: change-review, launcher-" in line


def test_without_a_model_the_general_skill_takes_no_part(repo, capsys):
    """Its classes were not looked for, and nothing is incomplete because of it."""
    branch(repo)
    repo.write("main.go", "package main\n")
    code, report = review(repo, capsys)
    assert (code, report["verdict"], report["incomplete"]) == (0, "findings", [])
    assert report["coverage"]["uncovered"] == [{"path": "main.go", "reason": "no skill claims it"}]
    assert {row["skill"] for row in report["checked"]} == {"silent-failures"}
    assert ("change-review", "builtin") not in names(report)


def test_the_general_skill_by_name_without_a_model_is_wrong_use(repo, capsys):
    branch(repo)
    line = error(repo, capsys, "--skill", "change-review")
    assert "--skill change-review: for a model only, and none is on; name another skill\n" in line


@pytest.mark.parametrize("timeout", ["0", "-1", "nan", "inf", "1e9", "soon"])
def test_a_time_limit_that_is_none_is_refused(repo, capsys, monkeypatch, timeout):
    monkeypatch.setenv("REVIEWBOT_GATE_TIMEOUT", timeout)
    branch(repo)
    assert f"REVIEWBOT_GATE_TIMEOUT={timeout!r} is no number of seconds above 0" in error(repo, capsys)


def test_a_named_skill_that_does_not_load_says_why(repo, capsys):
    repo.write(".reviewbot/skills/ours/SKILL.md", "no front matter\n")
    branch(repo)
    assert "--skill ours: .reviewbot/skills/ours/SKILL.md:1:1 S002 " in error(repo, capsys, "--skill", "ours")


def test_a_skill_for_something_else_that_does_not_load_is_no_part_of_the_review(repo, capsys):
    repo.write(".claude/skills/deploy/SKILL.md", "no front matter\n")
    branch(repo)
    _, report = review(repo, capsys)
    assert report["incomplete"] == []


def test_two_skills_of_one_name_on_the_command_line_are_refused(repo, capsys):
    branch(repo)
    for folder in ("a", "b"):
        repo.write(f"{folder}/SKILL.md", SKILL.format(name="ours"))
    line = error(repo, capsys, "--skill", "a", "--skill", "b")
    assert "--skill: 2 skills are called ours; name one of them" in line


def test_a_skill_behind_a_link_within_the_repository_reviews(repo, capsys):
    repo.write("review/ours/SKILL.md", SKILL.format(name="ours"))
    repo.file(".claude/skills").mkdir(parents=True)
    repo.file(".claude/skills/ours").symlink_to("../../review/ours")
    repo.file(".claude/skills/away").symlink_to("../../../away")
    branch(repo)
    _, report = review(repo, capsys)
    assert [s["path"] for s in report["skills"] if s["origin"] == "base"] == [".claude/skills/ours/SKILL.md"]


def test_a_script_whose_first_line_cannot_be_read_is_named(repo, capsys):
    branch(repo)
    repo.write("bin/launch", b"#!/bin/bash\n# caf\xe9\npython3 step.py\n")
    code, report = review(repo, capsys)
    assert (code, report["verdict"]) == (3, "incomplete")
    assert [(i["stage"], i["what"]) for i in report["incomplete"]] == [("scope", "bin/launch")]


def test_a_gate_that_the_change_takes_out_of_its_skill_still_fails(repo, capsys):
    skill = (
        SKILL.format(name="ours") + "\n## Mechanical gates\n```bash gate\npython3 -m py_compile <each>\n```\n"
    )
    repo.write(".reviewbot/skills/ours/SKILL.md", skill)
    branch(repo)
    repo.write(".reviewbot/skills/ours/SKILL.md", SKILL.format(name="ours"))
    repo.write("tools/broken.py", "def (:\n")
    code, report = review(repo, capsys, "--skill", "ours")
    assert (code, report["verdict"]) == (1, "findings")
    assert [(f["class"], f["path"], f["line"]) for f in report["findings"] if f["origin"] == "gate"] == [
        ("gate-py-compile", "tools/broken.py", 1)
    ]


def test_a_configuration_that_is_too_large_or_too_deep_is_refused(repo, capsys):
    repo.write(CONFIG, "#" * 262_145)
    branch(repo)
    assert "config.toml is larger than 256 KiB" in error(repo, capsys)


def test_a_configuration_that_nests_too_deep_is_refused(repo, capsys):
    repo.write(CONFIG, "a = " + "[" * 100_000)
    branch(repo)
    assert "config.toml: its values nest too deep" in error(repo, capsys)


@pytest.mark.parametrize("argv", [[""], ["main", "--head", ""], ["--patch", ""], ["main", "--output", ""]])
def test_an_argument_that_an_unset_variable_left_empty_is_wrong_use(repo, capsys, argv):
    branch(repo)
    repo.commit("head")
    assert cli.run(["diff", *argv]) == 2
    assert "is empty; an unset variable?" in capsys.readouterr().err


def test_a_script_of_another_shell_is_not_counted_as_reviewed(repo, capsys):
    branch(repo)
    repo.write("run.sh", "#!/bin/zsh\ngit checkout v1\n")
    _, report = review(repo, capsys)
    assert {"path": "run.sh", "reason": "in scope, but no detector and no gate reads it"} in report[
        "coverage"
    ]["uncovered"]


def test_a_patch_that_does_not_show_the_first_line_of_a_script_says_that_nobody_read_it(repo, capsys):
    branch(repo)
    repo.commit("head")
    repo.write(
        "x.patch",
        "diff --git a/deploy b/deploy\n--- a/deploy\n+++ b/deploy\n"
        "@@ -10,2 +10,3 @@\n a\n+git checkout v1\n b\n",
    )
    cli.run(["diff", "--patch", "x.patch", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert report["coverage"]["uncovered"] == [
        {"path": "deploy", "reason": "in scope, but no detector and no gate reads it"}
    ]


def test_modules_of_the_reviewed_repository_are_not_imported(repo):
    branch(repo)
    repo.write("argparse.py", "raise SystemExit(0)\n")
    repo.commit("head")
    done = subprocess.run(
        [sys.executable, "-m", "reviewbot", "diff", "main"],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert "changed files reviewed" in done.stdout


def test_what_was_read_differently_in_a_skill_is_said(repo, capsys):
    numbered = SKILL.format(name="ours") + "3. **A class that the numbering loses.** Text.\n"
    repo.write(".reviewbot/skills/ours/SKILL.md", numbered)
    branch(repo)
    repo.commit("head")
    for format in ("text", "markdown"):
        cli.run(["diff", "main", "--format", format])
        assert ".reviewbot/skills/ours/SKILL.md:14:1 S012" in capsys.readouterr().out.replace("\\", "")


def test_a_skill_without_files_for_a_gate_says_nothing_of_it_where_another_has_some(repo, capsys):
    branch(repo)
    repo.commit("head")
    cli.run(["diff", "main"])
    rows = [line for line in capsys.readouterr().out.split("\n") if "py_compile" in line]
    assert rows == ["gates        python3 -m py_compile <each>: passed"]


def test_a_review_by_a_skill_that_nothing_is_bound_to_is_incomplete(repo, capsys):
    branch(repo)
    repo.write("own/SKILL.md", SKILL.format(name="own").replace("`assert` in our verifier", "Something else"))
    repo.write(
        "own/SKILL.md", repo.file("own/SKILL.md").read_text().replace("`python -O` deletes it", "It is bad")
    )
    code, report = review(repo, capsys, "--skill", "own")
    assert (code, report["verdict"]) == (3, "incomplete")
    assert report["coverage"]["covered"] == 0


def test_an_unknown_option_names_the_help_of_its_command(repo, capsys):
    branch(repo)
    assert "unrecognized arguments: --formt; see reviewbot diff --help" in error(repo, capsys, "--formt")
