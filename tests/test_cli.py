"""The front door: options in, a report and an exit code out."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from reviewbot import __version__, cli
from reviewbot.assets import look
from reviewbot.cli import parser, reviewing
from reviewbot.core import report
from reviewbot.core.options import DiffOptions
from reviewbot.core.types import Severity
from tests import builders
from tests.commands import Asked, command, finish, start
from tests.repos import Repo


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Asked:
    return Asked.by(monkeypatch, tmp_path)


HEAVY = {
    *("anthropic", "github", "dbos", "sqlalchemy", "httpx", "jinja2", "rich", "click"),
    *("pydantic", "unidiff", "ast_grep_py", "markdown_it", "yaml"),
    *("typing", "dataclasses", "json", "logging", "pathlib", "shutil", "subprocess"),
}


def options(asked: Asked) -> DiffOptions:
    if asked.options is None:
        raise AssertionError("no review was asked for")
    return asked.options


# --- options ------------------------------------------------------------------------------


def test_without_options_the_branch_is_reviewed(asked: Asked, tmp_path: Path) -> None:
    assert cli.run(["diff"]) == 0
    assert options(asked) == DiffOptions(cwd=str(tmp_path))


def test_options_reach_the_review(asked: Asked) -> None:
    cli.run(["diff", "origin/main", "--head", "topic", "--skill", "a/SKILL.md", "--skill", "b", "--no-model"])
    got = options(asked)
    assert (got.base, got.head, got.mode, got.skills) == (
        "origin/main",
        "topic",
        "commits",
        ("a/SKILL.md", "b"),
    )


@pytest.mark.parametrize("mode", ["staged", "worktree"])
def test_modes(asked: Asked, mode: str) -> None:
    cli.run(["diff", f"--{mode}"])
    assert (options(asked).mode, options(asked).patch) == (mode, None)


def test_a_patch_is_read_as_bytes(asked: Asked, tmp_path: Path) -> None:
    (tmp_path / "fix.patch").write_bytes(b"diff --git a/caf\xe9 b/caf\xe9\r\n")
    cli.run(["diff", "--patch", "fix.patch"])
    assert options(asked).patch == b"diff --git a/caf\xe9 b/caf\xe9\r\n"
    assert options(asked).patch_name == "fix.patch"


def test_a_patch_comes_from_stdin() -> None:
    body = "sys.stderr.write(repr((options.patch, options.patch_name))); return builders.review()"
    with start(command(body, "diff", "--patch", "-"), stdin=-1, stdout=-1, stderr=-1) as process:
        _, err = process.communicate(b"\xff\n", timeout=60)
    assert (process.returncode, err) == (0, b"(b'\\xff\\n', '-')")


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["--staged", "--worktree"], "argument --worktree: not allowed with argument --staged"),
        (["--head", "x", "--patch", "-"], "argument --patch: not allowed with argument --head"),
        (["main", "--patch", "-"], "BASE has no meaning with --patch: a patch brings its own"),
        (["--format", "xml"], "argument --format: invalid choice: 'xml'"),
        (["--fail-on", "error"], "argument --fail-on: invalid choice: 'error'"),
        (["--form", "json"], "unrecognized arguments: --form"),
        (["main", "topic"], "unrecognized arguments: topic"),
        (["--patch", "none.patch"], "cannot read the patch none.patch: No such file or directory"),
        (["--output", "none/report.json"], "--output none/report.json: there is no folder"),
        (["--output", "."], "--output . is a folder"),
    ],
)
def test_wrong_use_is_one_line_and_2(
    argv: list[str], line: str, asked: Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["diff", *argv]) == 2
    out, err = capsys.readouterr()
    assert err.startswith(f"reviewbot: error: {line}")
    assert (out, err.count("\n"), asked.options) == ("", 1, None)


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        ([], 2),
        (["dif"], 2),
        (["skills"], 2),
        (["skills", "chek"], 2),
        (["--help"], 0),
        (["diff", "--help"], 0),
        (["audit", "--help"], 0),
        (["demo", "--help"], 0),
        (["skills", "--help"], 0),
        *((["skills", command, "--help"], 0) for command in ("list", "check", "show", "dump")),
    ],
)
def test_help_and_unknown_commands(argv: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(argv) == code
    out, err = capsys.readouterr()
    assert bool(out) == (code == 0)
    assert bool(err) == (code == 2)
    assert max(map(len, out.split("\n"))) <= 80


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--version"]) == 0
    assert capsys.readouterr().out == f"reviewbot {__version__}\n"


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        (["--help"], set()),
        (["--version"], set()),
        (["diff", "--help"], {"reviewbot.cli.diff", "reviewbot.cli.fixing", "reviewbot.cli.reviewing"}),
        (["audit", "--help"], {"reviewbot.cli.audit", "reviewbot.cli.reviewing"}),
        (["pr", "--help"], {"reviewbot.cli.pr", "reviewbot.cli.reviewing"}),
        (["demo", "--help"], {"reviewbot.cli.demo"}),
        (["skills", "--help"], {"reviewbot.cli.skills", "reviewbot.cli.authoring"}),
        (["skills", "check", "--help"], {"reviewbot.cli.skills", "reviewbot.cli.authoring"}),
    ],
)
def test_help_imports_nothing_heavy(argv: list[str], command: set[str]) -> None:
    code = f"import sys; from reviewbot.cli import run; run({argv!r}); print(*sys.modules, file=sys.stderr)"
    _, _, err = finish([sys.executable, "-c", code])
    loaded = {name.split(".")[0] for name in err.split()}
    assert loaded & HEAVY == set()
    assert {name for name in err.split() if name.startswith("reviewbot")} == command | {
        "reviewbot",
        "reviewbot.cli",
        "reviewbot.cli.parser",
        "reviewbot.core",
        "reviewbot.core.errors",
    }


def test_a_review_without_a_model_imports_nothing_of_one(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.write("run.sh", "#!/bin/bash\necho a\n")
    repo.commit("base")
    repo.write("run.sh", "#!/bin/bash\necho b\n")
    repo.commit("head")
    argv = ["diff", "HEAD~1", "--no-model"]
    code = f"import sys; from reviewbot.cli import run; run({argv!r}); print(*sys.modules, file=sys.stderr)"
    _, _, err = finish([sys.executable, "-c", code], cwd=repo.path, env={"ANTHROPIC_API_KEY": "x"})
    loaded = set(err.split())
    assert "reviewbot.pipeline" in loaded
    assert {name for name in loaded if name.startswith(("reviewbot.llm", "reviewbot.core.ask"))} == set()
    assert {name.split(".")[0] for name in loaded} & {"anthropic", "httpx2", "jinja2", "pydantic"} == set()


def test_the_formats_offered_are_the_formats_there_are() -> None:
    assert list(report.FORMATS) == list(parser.FORMATS)
    assert list(reviewing.FAIL_ON) == [*(s.value for s in Severity), "never"]


# --- the report and the exit code -----------------------------------------------------------


@pytest.mark.parametrize(
    ("severity", "argv", "code"),
    [
        ("warning", [], 1),
        ("note", [], 0),
        ("note", ["--fail-on", "note"], 1),
        ("blocker", ["--fail-on", "never"], 0),
    ],
)
def test_the_exit_code_follows_the_severity(severity: str, argv: list[str], code: int, asked: Asked) -> None:
    asked.review = builders.review(builders.finding(severity=Severity(severity)))
    assert cli.run(["diff", *argv]) == code


def test_an_incomplete_review_ends_with_3(asked: Asked) -> None:
    asked.review = builders.review(incomplete=(("gate", "shellcheck", "not installed"),))
    assert cli.run(["diff", "--fail-on", "never"]) == 3


def test_the_report_is_all_of_stdout(asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    asked.review = builders.review(builders.suggested())
    for name in parser.FORMATS:
        cli.run(["diff", "--format", name])
        assert capsys.readouterr() == (report.FORMATS[name](asked.review, report.Page(look=look)), "")


def test_every_format_goes_into_a_file(asked: Asked, tmp_path: Path) -> None:
    asked.review = builders.review(builders.suggested())
    for name in parser.FORMATS:
        target = tmp_path / f"review.{name}"
        assert cli.run(["diff", "--format", name, "--output", str(target), "--quiet"]) == 1
        page = report.Page(look=look)
        assert target.read_text(encoding="utf-8") == report.FORMATS[name](asked.review, page)


def test_output_is_written_whole_and_the_verdict_is_said(
    asked: Asked, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "review.json"
    target.write_text("old")
    target.chmod(0o640)
    assert cli.run(["diff", "--format", "json", "--output", "review.json"]) == 0
    assert json.loads(target.read_text())["verdict"] == "clean"
    assert target.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["review.json"]
    line = "reviewbot: clean: nothing new found; 1 of 1 changed file reviewed; the report is in review.json\n"
    assert capsys.readouterr() == ("", line)
    cli.run(["diff", "--output", "review.json", "--quiet"])
    assert capsys.readouterr() == ("", "")


def test_output_through_a_link_keeps_the_link(asked: Asked, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    cli.run(["diff", "--output", "link"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text().split("\n\n")[-1].startswith("clean: ")


def test_text_that_stdout_cannot_encode_is_escaped() -> None:
    body = "return builders.review(builders.finding(quote='echo 漢字'))"
    code, out, err = finish(command(body, "diff"), env={"PYTHONIOENCODING": "ascii"})
    assert (code, err) == (1, "")
    assert "echo \\u6f22\\u5b57" in out
