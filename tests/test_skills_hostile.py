"""Skill folders written by a stranger: no file of this machine is read through a link, nothing hangs,
and a review says what it could not load."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from tests.repos import Repo

PRIVATE = "root:x:0:0: a line that only this machine knows"
SKILL = """\
---
name: {name}
description: A review of checks.
---
# Checks

## Defect classes

1. **{title}.** `python -O` deletes it. Fix: raise.
"""
TITLE = "`assert` in a verifier"
OURS = ".reviewbot/skills/ours/SKILL.md"


@pytest.fixture
def private(tmp_path: Path) -> Path:
    path = tmp_path / "private"
    path.write_text(PRIVATE)
    return path


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.write("README.md", "x\n")
    monkeypatch.chdir(repo.path)
    return repo


def skill(name: str, title: str = TITLE) -> str:
    return SKILL.format(name=name, title=title)


def review(repo: Repo, capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, dict[str, Any]]:
    """A review of a change that only adds a file, by the skills of the commit below it."""
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "work")
    repo.write("check_names.py", "def verify(old, new):\n    assert old == new\n")
    repo.commit("head")
    code = cli.run(["diff", "main", "--format", "json", *argv])
    out, err = capsys.readouterr()
    assert (err, PRIVATE in out) == ("", False)
    return code, json.loads(out)


def check(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str]:
    code = cli.run(["skills", "check", *argv])
    out, err = capsys.readouterr()
    assert (err, PRIVATE in out) == ("", False)
    return code, out


def test_a_skill_file_that_is_a_link_to_a_file_of_the_machine(repo, capsys, private):
    repo.link(OURS, str(private))
    for argv in ([], [OURS], [".reviewbot/skills"], [os.path.dirname(OURS)]):
        code, out = check(capsys, *argv)
        assert code == 2
        assert f"{OURS}:1:1 S010 error a link out of " in out
    code, report = review(repo, capsys)
    assert (code, report["verdict"]) == (3, "incomplete")
    assert [(i["stage"], i["what"]) for i in report["incomplete"]] == [("skill", OURS)]


def test_a_named_skill_file_that_is_a_link_to_a_file_of_the_machine(repo, capsys, private):
    repo.link("own/SKILL.md", str(private))
    repo.commit()
    for name in ("own", "own/SKILL.md"):
        assert cli.run(["diff", "HEAD", "--skill", name]) == 2
        out, err = capsys.readouterr()
        assert f"--skill {name}: own/SKILL.md:1:1 S010 a link out of " in err
        assert PRIVATE not in out + err


def test_a_skill_folder_that_is_a_link_out(repo, capsys, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/SKILL.md").write_text(skill("outside"))
    repo.link(".reviewbot/skills/outside", "../../../outside")
    code, out = check(capsys)
    assert code == 2
    assert ".reviewbot/skills/outside/SKILL.md:1:1 S010 error" in out
    code, report = review(repo, capsys)
    assert (code, [s["name"] for s in report["skills"] if s["origin"] == "base"]) == (3, [])
    assert [i["what"] for i in report["incomplete"]] == [".reviewbot/skills/outside/SKILL.md"]


def test_rules_behind_a_link_out(repo, capsys, private):
    repo.write(OURS, skill("ours"))
    repo.link(".reviewbot/skills/ours/rules/a.yml", str(private))
    code, out = check(capsys)
    assert code == 2
    assert ".reviewbot/skills/ours/rules/a.yml:1:1 S010 error" in out
    code, report = review(repo, capsys)
    assert (code, [i["what"] for i in report["incomplete"]]) == (3, [".reviewbot/skills/ours/rules/a.yml"])


def test_a_folder_that_somebody_named_may_lie_behind_a_link(repo, capsys, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/SKILL.md").write_text(skill("outside"))
    repo.link("mine", "../outside")
    code, out = check(capsys, "mine")
    assert (code, "mine/SKILL.md: 1 class, " in out) == (0, True)


def test_links_inside_are_followed_and_are_no_second_skill(repo, capsys):
    repo.write("review/ours/SKILL.md", skill("ours"))
    for folder in (".agents", ".claude"):
        repo.link(f"{folder}/skills/ours", "./../../review/ours")
    repo.link("skills", ".agents/skills")
    assert check(capsys)[1] == (
        ".agents/skills/ours/SKILL.md: 1 class, 0 scope rows, 0 procedure steps, 0 gates, 0 rules:"
        " 0 errors, 0 warnings\n"
    )
    _, report = review(repo, capsys)
    assert [s["path"] for s in report["skills"] if s["origin"] == "base"] == [".agents/skills/ours/SKILL.md"]
    assert report["incomplete"] == []


@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_what_is_no_file_holds_nobody(repo, capsys, kind):
    path = repo.file(OURS)
    path.parent.mkdir(parents=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    code, out = check(capsys)
    assert code == 2
    assert f"{OURS}:1:1 S0" in out
    if kind != "folder":
        assert check(capsys, OURS)[0] == 2


def test_a_folder_called_skill_md_at_base_makes_the_review_incomplete(repo, capsys):
    repo.write(f"{OURS}/x", "x\n")
    code, report = review(repo, capsys)
    assert (code, [(i["what"], i["stage"]) for i in report["incomplete"]]) == (3, [(OURS, "skill")])


def test_links_in_circles_end(repo, capsys):
    repo.write(OURS, skill("ours"))
    repo.link(".reviewbot/skills/self", ".")
    repo.link(".reviewbot/skills/ours/up", "../..")
    repo.link(".claude/skills", "skills")
    code, out = check(capsys)
    assert (code, out.count("1 class")) == (2, 1)
    assert ".claude/skills/SKILL.md:1:1 S010 error a link that leads nowhere, or in a circle" in out
    _, report = review(repo, capsys)
    assert [s["path"] for s in report["skills"] if s["origin"] == "base"] == [OURS]


def test_two_skills_of_one_name_review_neither_and_make_the_review_incomplete(repo, capsys):
    for folder in ("a", "b"):
        repo.write(f".reviewbot/skills/{folder}/SKILL.md", skill("ours", f"{TITLE} {folder}"))
    code, report = review(repo, capsys)
    assert (code, report["verdict"]) == (3, "incomplete")
    assert [s["name"] for s in report["skills"] if s["origin"] == "base"] == []
    assert [(i["what"], " S011 " in i["why"]) for i in report["incomplete"]] == [
        (".reviewbot/skills/a/SKILL.md", True),
        (".reviewbot/skills/b/SKILL.md", True),
    ]


def test_of_two_folders_the_first_reviews_and_the_other_is_listed(repo, capsys):
    repo.write(OURS, skill("ours"))
    repo.write("skills/ours/SKILL.md", skill("ours", "Another class"))
    assert "skills/ours/SKILL.md:1:1 S011 warning " in check(capsys)[1]
    code, report = review(repo, capsys)
    assert (code, report["incomplete"]) == (0, [])
    assert [s["path"] for s in report["skills"] if s["origin"] == "base"] == [OURS]


def test_the_cases_and_references_of_a_skill_are_not_read(repo, capsys):
    repo.write(OURS, skill("ours"))
    folder = os.path.dirname(OURS)
    for number in range(30):
        repo.write(f"{folder}/cases/{number}/head/.reviewbot/skills/x/SKILL.md", "no skill\n")
        repo.write(f"{folder}/references/{number}.md", b"\xff" * 300_000)
    assert check(capsys)[1].endswith("0 errors, 0 warnings\n")
    _, report = review(repo, capsys)
    assert report["incomplete"] == []
    assert [s["path"] for s in report["skills"] if s["origin"] == "base"] == [OURS]


def test_a_folder_of_too_many_folders_is_said(repo, capsys):
    repo.write(OURS, skill("ours"))
    for number in range(2_001):
        repo.file(f".reviewbot/skills/{number:04}").mkdir()
    code, out = check(capsys)
    assert code == 2
    assert ".reviewbot/skills/:1:1 S001 error more than 2,000 folders: not all were searched" in out


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfe", b"---\n" + b"[" * 200_000, b"x" * 300_000, b"", b"---\nname: &a [*a]\n---\n", b"\0"],
    ids=["no-utf8", "brackets", "large", "empty", "alias", "nul"],
)
def test_files_that_are_no_skill_are_named_with_their_place(repo, capsys, data):
    repo.write(OURS, data)
    code, out = check(capsys)
    assert code == 2
    assert all(line.startswith(OURS) for line in out.rstrip("\n").split("\n"))
    code, report = review(repo, capsys)
    assert (code, {i["what"] for i in report["incomplete"]}) == (3, {OURS})


def test_names_with_control_characters_are_shown_and_not_obeyed(repo, capsys):
    repo.write(b".reviewbot/skills/a\x1b[31m\xe9/SKILL.md", "no skill\n")
    out = check(capsys)[1]
    assert out.startswith(".reviewbot/skills/a\\x1b[31m\\xe9/SKILL.md:1:1 S002 error ")
    assert cli.run(["skills", "check", "--format", "json"]) == 2
    assert json.loads(capsys.readouterr().out)["skills"][0]["path"].endswith("a\x1b[31m\\xe9/SKILL.md")


@pytest.mark.parametrize("target", ["/", "nowhere", "fifo"])
def test_a_fault_of_the_rules_folder_is_kept_where_the_skill_is_named(repo, capsys, target):
    repo.write("own/SKILL.md", skill("own"))
    if target == "fifo":
        os.mkfifo(repo.path / "own/rules")
    else:
        repo.link("own/rules", target)
    repo.commit()
    for name in ("own", "own/SKILL.md"):
        assert cli.run(["diff", "HEAD", "--skill", name]) == 2
        assert f"--skill {name}: own/rules:1:1 S0" in capsys.readouterr().err
    assert cli.run(["skills", "show", "own"]) == 2
    assert "own/rules:1:1 S0" in capsys.readouterr().out
    assert check(capsys, "own/SKILL.md")[0] == 2


def test_a_review_skill_outside_of_our_folder_that_stops_loading_is_missed(repo, capsys):
    place = ".claude/skills/launcher-checks/SKILL.md"
    repo.write(place, skill("launcher-checks") + "\n```\nno end\n")
    code, report = review(repo, capsys)
    assert (code, report["verdict"]) == (3, "incomplete")
    assert {i["what"] for i in report["incomplete"]} == {place}


def test_two_review_skills_of_one_name_outside_of_our_folder_are_missed(repo, capsys):
    places = [f".claude/skills/{n}/SKILL.md" for n in ("one", "two")]
    for place in places:
        repo.write(place, skill("launcher-checks", f"Class of {place}"))
    code, report = review(repo, capsys)
    assert code == 3
    assert [i["what"] for i in report["incomplete"]] == places


def test_a_broken_skill_of_another_purpose_is_not_missed(repo, capsys):
    text = skill("slides").replace("A review of checks.", "Makes slides.") + "\n```\nno end\n"
    repo.write(".claude/skills/slides/SKILL.md", text)
    assert review(repo, capsys)[1]["incomplete"] == []


def test_a_disabled_skill_may_be_broken(repo, capsys):
    repo.write(".reviewbot/skills/broken/SKILL.md", "---\nname: broken\n")
    assert review(repo, capsys)[0] == 3
    repo.git("checkout", "-q", "main")
    repo.write(".reviewbot/config.toml", '[skills]\ndisable = ["broken"]\n')
    repo.git("branch", "-q", "-D", "work")
    assert review(repo, capsys)[1]["incomplete"] == []


def test_a_skill_file_in_the_folder_of_a_skill_is_no_skill(repo, capsys):
    repo.write(OURS, skill("ours"))
    repo.write(".reviewbot/skills/ours/references/x/SKILL.md", skill("silent-failures"))
    _, report = review(repo, capsys)
    assert ("silent-failures", "builtin") in [(s["name"], s["origin"]) for s in report["skills"]]


def test_settings_at_base_that_cannot_be_read_stop_the_review(repo, capsys, private):
    place = ".reviewbot/config.toml"
    for n, why in enumerate(("a link out of the repository", "a folder, not a file", "a link that leads")):
        if n == 0:
            repo.link(place, str(private))
        elif n == 1:
            (repo.path / place).unlink()
            repo.write(f"{place}/x", "x")
        else:
            (repo.path / place / "x").unlink()
            (repo.path / place).rmdir()
            repo.link(place, "nowhere")
        repo.commit(f"{n}")
        assert cli.run(["diff", "HEAD"]) == 2
        assert f"{place} at base cannot be read: {why}" in capsys.readouterr().err


def test_settings_at_base_whose_content_git_lacks_stop_the_review(repo, capsys):
    place = ".reviewbot/config.toml"
    repo.write(place, "[skills]\n")
    repo.commit()
    blob = repo.git("rev-parse", f"HEAD:{place}").strip()
    (repo.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    assert cli.run(["diff", "HEAD"]) == 2
    assert f"{place} at base cannot be read: git lacks its content" in capsys.readouterr().err
