"""`reviewbot skills list`, `check`, `show` and `dump` at the front door."""

from __future__ import annotations

import json
import os
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from reviewbot import cli
from tests.repos import Repo
from tests.skillfiles import TWIN

SCHEMA = json.loads(files("reviewbot.core.report").joinpath("skill.schema.json").read_text(encoding="utf-8"))
SKILL = """\
---
name: {name}
description: Review of our checks.
---
# Checks

## Files in scope

| Stage | File | Owns |
|---|---|---|
| check | `check-<what>.py` | the checks |

## Defect classes

1. **`assert` in our verifier.** `python -O` deletes it. Fix: raise.
2. **A colour that nobody likes.** It is ugly. Fix: paint it.
3. **An honest false positive.** Do not report it.

## Procedure

1. Read.

## Mechanical gates

```bash
python3 -m py_compile <each>.py
ruff check . | tail
```

## Report

One table.
"""
RULE = """\
id: no-blue
language: python
class: 2
message: blue
cost: an eye
fix: paint it
rule: {pattern: paint("blue")}
bad: ['paint("blue")']
good: ['paint("red")']
"""
READ = "3 classes (1 suppress), 1 scope row, 1 procedure step, 2 gates"
OURS = ".reviewbot/skills/ours/SKILL.md"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository with a skill, a file that it claims, and one that it does not."""
    repo = Repo(tmp_path / "repo")
    repo.write(OURS, SKILL.format(name="ours"))
    repo.write("check-names.py", "x = 1\n")
    repo.write("other.txt", "x\n")
    repo.commit()
    monkeypatch.chdir(repo.path)
    return repo


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str]:
    code = cli.run(["skills", *argv])
    out, err = capsys.readouterr()
    assert err == ""
    return code, out


def error(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert cli.run(["skills", *argv]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err.removeprefix("reviewbot: error: ").rstrip("\n")


def document(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    _, out = run(capsys, *argv, "--format", "json")
    loaded: dict[str, Any] = json.loads(out)
    for skill in loaded.get("skills", [loaded]):
        Draft202012Validator(SCHEMA).validate(skill)
    return loaded


# --- check ----------------------------------------------------------------------------------


def test_check_says_what_was_read_and_where_a_fault_is(repo, capsys):
    code, out = run(capsys, "check")
    assert code == 0
    assert out.split("\n") == [
        f"{OURS}:27:1 S009 warning not run: it needs a shell (`|`): ruff check . | tail",
        f"{OURS}: {READ}, 0 rules: 0 errors, 1 warning",
        "",
    ]


@pytest.mark.parametrize("place", [OURS, os.path.dirname(OURS), ".reviewbot/skills", ".", f"./{OURS}"])
def test_check_takes_a_file_its_folder_and_a_folder_of_skills(repo, capsys, place):
    document_ = document(capsys, "check", place)
    assert [(s["name"], s["origin"]) for s in document_["skills"]] == [("ours", "path")]
    assert os.path.samefile(document_["skills"][0]["path"], OURS)


def test_check_sums_up_several_skills(repo, capsys):
    repo.write("a/SKILL.md", SKILL.format(name="a"))
    repo.write("notes.md", SKILL.format(name="notes"))
    _, out = run(capsys, "check", "a", "notes.md", "a/SKILL.md")
    lines = out.rstrip("\n").split("\n")
    assert [line.partition(": ")[0] for line in lines if ": 3 classes" in line] == ["a/SKILL.md", "notes.md"]
    assert lines[-1] == "2 skills: 0 errors, 2 warnings"


def test_strict_makes_errors_of_warnings(repo, capsys):
    assert run(capsys, "check", "--strict")[0] == 2
    repo.write(OURS, SKILL.format(name="ours").replace("ruff check . | tail\n", ""))
    assert run(capsys, "check", "--strict")[0] == 0


def test_check_in_json_counts_and_wraps(repo, capsys):
    repo.write("broken/SKILL.md", "---\nname: broken\n---\n# No description\n")
    report = document(capsys, "check", "broken", OURS)
    assert list(report) == ["skills", "errors", "warnings"]
    assert (report["errors"], report["warnings"]) == (1, 1)
    broken, ours = report["skills"]
    assert (broken["name"], broken["path"], broken["classes"]) == ("", "broken/SKILL.md", [])
    assert [d["code"] for d in broken["diagnostics"] if d["level"] == "error"] == ["S004"]
    assert ours["scope"] == [{"stage": "check", "pattern": "check-*.py", "owns": "the checks"}]
    assert [(c["rank"], c["slug"], c["kind"]) for c in ours["classes"]] == [
        (1, "assert-in-our-verifier", "defect"),
        (2, "a-colour-that-nobody-likes", "defect"),
        (3, "an-honest-false-positive", "suppress"),
    ]
    assert [d["id"] for d in ours["classes"][0]["detectors"]] == ["assert-in-verifier"]
    assert [(g["line"], g["kind"]) for g in ours["gates"]] == [
        ("python3 -m py_compile <each>.py", "parse-only"),
        ("ruff check . | tail", "refused"),
    ]
    assert (ours["steps"], ours["report"]) == (["Read."], "One table.")


def test_check_runs_the_examples_of_rules(repo, capsys):
    rule = ".reviewbot/skills/ours/rules/no-blue.yml"
    repo.write(rule, RULE)
    report = document(capsys, "check")
    assert (report["errors"], report["skills"][0]["classes"][1]["rules"]) == (0, ["no-blue"])
    repo.write(rule, RULE.replace("bad: ['paint(\"blue\")']", "bad: ['paint(\"red\")']"))
    code, out = run(capsys, "check")
    assert code == 2
    assert f'{rule}:8:7 R006 error bad example 1 is not matched: `paint("red")`;' in out
    assert out.endswith("1 rule: 1 error, 1 warning\n")


def test_a_pattern_that_matches_nothing_here_is_a_warning(repo, capsys):
    repo.rm("check-names.py")
    repo.commit()
    _, out = run(capsys, "check")
    assert f"{OURS}:11:1 S105 warning `check-<what>.py` matches no tracked file" in out


def test_outside_of_a_repository_no_pattern_is_said_to_match_nothing(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "SKILL.md").write_text(SKILL.format(name="own"))
    assert "S105" not in run(capsys, "check", "SKILL.md")[1]


def test_the_model_of_a_skill_file(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(TWIN.parent, tmp_path / TWIN.parent.name)
    _, out = run(capsys, "check", TWIN.parent.name)
    assert out.endswith(
        ": 12 classes (1 suppress), 6 scope rows, 6 procedure steps, 4 gates, 0 rules: 0 errors, 1 warning\n"
    )


def test_a_copy_of_a_web_page_is_refused_with_the_remedy(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = SKILL.format(name="ours").rstrip("\n").split("\n")
    (tmp_path / "pasted.txt").write_text("92 lines\n" + "\n|\n||\n".join(lines))
    code, out = run(capsys, "check", "pasted.txt")
    assert code == 2
    assert out.startswith("pasted.txt:1:1 S108 error ")
    assert "`reviewbot skills import FILE`" in out
    assert out.endswith("pasted.txt: not loaded: 1 error, 0 warnings\n")


def test_check_says_what_it_does_not_find(repo, capsys, tmp_path, monkeypatch):
    (repo.path / "empty").mkdir()
    assert error(capsys, "check", "nothing.md") == "nothing.md: no such file or folder"
    assert error(capsys, "check", "empty").startswith("empty: no SKILL.md in this folder; ")
    monkeypatch.chdir(tmp_path)
    assert error(capsys, "check").endswith(
        "is not in a work tree of git and holds no skill; name the skills to check"
    )


def test_a_repository_without_skills_is_said(repo, capsys):
    repo.rm(OURS)
    assert run(capsys, "check") == (0, "0 skills: 0 errors, 0 warnings\n")


@pytest.mark.parametrize(
    ("description", "text", "why"),
    [
        ("Review of our checks.", SKILL, ""),
        ("Of our checks.", SKILL, "neither its name nor its description speaks of a review or an audit"),
        (
            "Review of our checks.",
            "---\nname: {name}\ndescription: A review.\n---\n",
            "it has no defect classes",
        ),
    ],
)
def test_check_and_show_say_why_a_skill_takes_no_part(repo, capsys, description, text, why):
    """`list` said it, and who read the other two did not learn it."""
    path = ".claude/skills/theirs/SKILL.md"
    repo.write(path, text.format(name="theirs").replace("Review of our checks.", description))
    for argv in (
        ("check",),
        ("check", path),
        ("check", ".claude/skills", "--strict"),
        ("show", "theirs"),
        ("show", path),
    ):
        _, out = run(capsys, *argv)
        assert (f"takes no part: {why}" in " ".join(out.split())) is bool(why)
    for argv in (("check", path), ("show", "theirs")):
        loaded = document(capsys, *argv)
        assert loaded.get("skills", [loaded])[0]["absent"] == why


def test_show_says_that_a_built_in_skill_is_replaced_or_disabled(repo, capsys):
    repo.write(".reviewbot/config.toml", '[skills]\ndisable = ["launcher-adversarial-review"]\n')
    _, out = run(capsys, "show", "launcher-adversarial-review")
    assert "takes no part: disabled in the configuration" in out


def test_outside_of_a_repository_the_skills_of_the_folder_are_checked(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert (
        error(capsys, "check")
        == f"{tmp_path} is not in a work tree of git and holds no skill; name the skills to check"
    )
    (tmp_path / "skills/ours").mkdir(parents=True)
    (tmp_path / "skills/ours/SKILL.md").write_text(SKILL.format(name="ours"))
    assert [s["path"] for s in document(capsys, "check")["skills"]] == ["skills/ours/SKILL.md"]
    (tmp_path / "SKILL.md").write_text(SKILL.format(name="this"))
    assert [s["path"] for s in document(capsys, "check")["skills"]] == ["SKILL.md"]


# --- list -----------------------------------------------------------------------------------


def listed(out: str) -> dict[str, list[str]]:
    """The cells of each row by the name of the skill, and the reason below it."""
    rows: dict[str, list[str]] = {}
    name = ""
    for line in out.split("\n\n")[0].split("\n")[1:]:
        if line.startswith("  "):
            rows[name].append(line.strip())
        else:
            name, *cells = (cell.strip() for cell in line.split("  ") if cell.strip())
            rows[name] = cells
    return rows


def test_list_counts_what_each_skill_has_and_claims(repo, capsys):
    repo.write(".reviewbot/skills/ours/rules/no-blue.yml", RULE)
    code, out = run(capsys, "list")
    rows = listed(out)
    assert code == 0
    assert rows["ours"] == [".reviewbot/skills", "3", "2", "1", "1"]
    assert rows["silent-failures"][0] == "built in"
    assert rows["change-review"] == [
        "built in",
        "11",
        "0",
        "0",
        "1",
        "takes no part: for a model only, and none is on",
    ]
    assert out.endswith("\n5 skills; 4 take part in a review\n")


def test_list_says_why_a_skill_takes_no_part(repo, capsys):
    repo.write(".claude/skills/deploy/SKILL.md", "---\nname: deploy\ndescription: Deploy.\n---\n# Deploy\n")
    repo.write(".claude/skills/ours/SKILL.md", SKILL.format(name="ours").replace("ugly", "loud"))
    repo.write(".reviewbot/config.toml", '[skills]\ndisable = ["launcher-adversarial-review"]\n')
    out = run(capsys, "list")[1]
    rows = listed(out)
    assert rows["deploy"][-1] == "takes no part: it has no defect classes"
    assert rows["launcher-adversarial-review"][-1] == "takes no part: disabled in the configuration"
    assert f"takes no part: replaced by {OURS}" in out
    assert out.endswith("\n7 skills; 3 take part in a review\n")


def test_list_counts_scripts_by_their_first_line_and_files_without_a_scope(repo, capsys):
    repo.write("tool", "#!/bin/sh\n")
    repo.write("README", "x\n")
    repo.write(OURS, SKILL.format(name="ours").replace("check-<what>.py", "#!sh"))
    repo.write(".reviewbot/skills/all/SKILL.md", "---\nname: all\ndescription: All.\n---\n# All\n")
    repo.commit()
    rows = listed(run(capsys, "list")[1])
    assert (rows["ours"][-1], rows["all"][-1]) == ("1", "6")


def test_list_names_what_is_not_loaded(repo, capsys):
    repo.write(".claude/skills/deploy/SKILL.md", "no front matter\n")
    code, out = run(capsys, "list")
    assert code == 0
    assert ".claude/skills/deploy/SKILL.md:1:1 S002 error " in out
    assert out.endswith("5 skills; 4 take part in a review; 1 error: what they name is not loaded\n")


def test_list_without_a_repository_has_the_built_in_ones(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = listed(run(capsys, "list")[1])
    assert set(rows) == {
        "change-review",
        "launcher-adversarial-review",
        "quant-pipeline-adversarial-review",
        "silent-failures",
    }
    assert {cells[4] for cells in rows.values()} == {"-"}


def test_a_typo_in_the_configuration_is_one_line(repo, capsys):
    repo.write(".reviewbot/config.toml", '[skills]\nuse = ["our"]\n')
    assert "skills.use names 'our', which no skill is called; did you mean ours?" in error(capsys, "list")


def test_a_configuration_behind_a_link_out_is_not_read(repo, capsys, tmp_path):
    (tmp_path / "private.toml").write_text("secret = 'x'\n")
    repo.link(".reviewbot/config.toml", str(tmp_path / "private.toml"))
    line = error(capsys, "list")
    assert line.startswith(".reviewbot/config.toml: a link out of ")
    assert "secret" not in line


# --- show -----------------------------------------------------------------------------------


def test_show_is_a_page_of_what_was_understood(repo, capsys):
    repo.write(".reviewbot/skills/ours/rules/no-blue.yml", RULE)
    code, out = run(capsys, "show", "ours")
    assert code == 0
    assert max(map(len, out.split("\n"))) <= 80
    assert "check-*.py (written check-<what>.py)" in out
    for line in (
        "assert-in-verifier: ",
        "rule no-blue",
        "never reported",
        "refused: it needs a shell (`|`)",
    ):
        assert line in out
    for heading in ("Files in scope", "Its detectors", "Gates", "Procedure", "Report", "Noticed"):
        assert f"\n{heading}\n" in out
    assert f"\n{READ}" in out


def test_show_says_which_classes_nobody_looks_for(repo, capsys):
    out = run(capsys, "show", "ours")[1]
    assert "-: no detector and no rule; only a model can look for it" in out
    repo.write(".reviewbot/skills/ours/rules/no-blue.yml", RULE)
    assert "no detector and no rule" not in run(capsys, "show", "ours")[1]


@pytest.mark.parametrize("name", ["silent-failures", "launcher-adversarial-review"])
def test_show_knows_the_built_in_skills_by_name(repo, capsys, name):
    shown = document(capsys, "show", name)
    assert (shown["name"], shown["path"], shown["origin"]) == (name, f"builtin:{name}", "builtin")
    assert [d for d in shown["diagnostics"] if d["level"] != "info"] == []


def test_a_skill_of_the_repository_comes_before_a_built_in_one_of_its_name(repo, capsys):
    repo.write("skills/silent-failures/SKILL.md", SKILL.format(name="silent-failures"))
    shown = document(capsys, "show", "silent-failures")
    assert (shown["path"], shown["origin"]) == ("skills/silent-failures/SKILL.md", "head")


def test_show_in_a_folder_of_the_repository(repo, capsys, monkeypatch):
    (repo.path / "sub").mkdir()
    monkeypatch.chdir(repo.path / "sub")
    assert document(capsys, "show", "ours")["path"] == OURS
    assert document(capsys, "show", f"../{OURS}")["origin"] == "path"


def test_show_of_a_skill_that_does_not_load_says_why(repo, capsys):
    repo.write(OURS, "no front matter\n")
    code, out = run(capsys, "show", "ours")
    assert code == 2
    assert "1:1 S002 error: " in out
    assert out.endswith("not loaded: 1 error, 0 warnings\n")


def test_show_of_an_unknown_name_says_what_was_meant(repo, capsys):
    assert error(capsys, "show", "silent-failure") == (
        "silent-failure: no such file or skill; did you mean silent-failures?"
    )


# --- dump -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "argv", "kind"),
    [
        ("a.sh", "echo hi\n", [], "program"),
        ("tool", "#!/bin/bash\necho hi\n", [], "program"),
        ("a.py", "x = 1\n", [], "module"),
        ("a.yml", "a: 1\n", [], "stream"),
        ("a.txt", "echo hi\n", ["--language", "bash"], "program"),
    ],
)
def test_dump_prints_the_tree_of_a_file(repo, capsys, name, text, argv, kind):
    repo.write(name, text)
    code, out = run(capsys, "dump", name, *argv)
    assert code == 0
    assert out.split("\n")[0].split() == ["1:1", kind]


def test_dump_of_a_file_whose_language_nobody_knows(repo, capsys):
    line = error(capsys, "dump", "other.txt")
    assert line == "other.txt: its name does not tell its language; say --language bash, python or yaml"
    assert error(capsys, "dump", "none.sh") == "cannot read the file none.sh: No such file or directory"
