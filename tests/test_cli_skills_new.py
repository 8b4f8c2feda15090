"""`reviewbot skills new`: a skeleton that is whole as it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewbot import cli
from tests.repos import Repo

FILES = [
    "SKILL.md",
    "cases/owner-only/expect.toml",
    "cases/owner-only/head/install.sh",
    "cases/world-writable/expect.toml",
    "cases/world-writable/head/install.sh",
    "rules/world-writable.yml",
]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    monkeypatch.chdir(tmp_path)
    return Repo(tmp_path)


def test_it_says_what_it_wrote_and_what_comes_next(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["skills", "new", "my-review"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [f".reviewbot/skills/my-review/{path}" for path in FILES]
    assert err == "reviewbot: next: reviewbot skills test my-review\n"
    assert sorted(path for path in out.splitlines() if repo.file(path).is_file()) == sorted(out.splitlines())
    assert not any("@NAME@" in repo.file(path).read_text() for path in out.splitlines())


def test_as_it_is_written_it_passes_check_and_test(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    cli.run(["skills", "new", "my-review"])
    capsys.readouterr()
    assert cli.run(["skills", "check", "--strict"]) == 0
    assert "0 errors, 0 warnings" in capsys.readouterr().out
    assert cli.run(["skills", "test", "my-review", "--min-cases", "1"]) == 0
    assert capsys.readouterr().out.endswith("passed: 2 cases of 1 skill\n")


def test_it_reviews_from_the_next_commit_on(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    cli.run(["skills", "new", "my-review"])
    repo.commit()
    repo.write("install.sh", "#!/bin/sh\nset -eu\nchmod -R 777 /srv/app\n")
    repo.git("checkout", "-q", "-b", "change")
    repo.commit()
    capsys.readouterr()
    assert cli.run(["diff", "main"]) == 1
    assert "Files that everybody may change" in capsys.readouterr().out


def test_it_lies_at_the_top_of_the_work_tree(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo.path / "a/b").mkdir(parents=True)
    monkeypatch.chdir(repo.path / "a/b")
    assert cli.run(["skills", "new", "my-review"]) == 0
    assert (repo.path / ".reviewbot/skills/my-review/SKILL.md").is_file()
    assert capsys.readouterr().out.startswith(f"{repo.path}/.reviewbot/skills/my-review/")


def test_what_is_there_is_not_written_over(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    mine = repo.write(".reviewbot/skills/my-review/SKILL.md", "mine")
    assert cli.run(["skills", "new", "my-review"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("my-review is there already; remove it, or choose another name\n")
    assert mine.read_text() == "mine"
    assert [path.name for path in mine.parent.iterdir()] == ["SKILL.md"]


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("My Review", ", for example my-review\n"),
        ("../evil", ", for example evil\n"),
        ("a/b", ", for example a-b\n"),
        ("a\n", ", for example a\n"),
        ("..", "at most 64 characters\n"),
        ("", "at most 64 characters\n"),
        ("x" * 65, f", for example {'x' * 64}\n"),
    ],
)
def test_a_name_that_is_none(repo: Repo, capsys: pytest.CaptureFixture[str], name: str, remedy: str) -> None:
    assert cli.run(["skills", "new", name]) == 2
    err = capsys.readouterr().err
    assert "is no name for a skill; lower-case words joined by hyphens, at most 64 characters" in err
    assert err.endswith(remedy)
    assert [path.name for path in repo.path.iterdir()] == [".git"]
