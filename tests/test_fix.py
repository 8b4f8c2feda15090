"""`diff --fix` at the front door: what is applied, what is taken back, and what is left as it was."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Protocol

import pytest

from reviewbot import cli
from tests.launchers import FIXED, GATED, GUARDED, LAUNCH, OLD, STEP, Ran, launchers, ran
from tests.repos import Repo

RUNNER = "runners/launch.sh"


class Run(Protocol):
    def __call__(self, repo: Repo, *argv: str) -> Ran: ...


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return lambda repo, *argv: ran(repo, capsys, monkeypatch, *argv)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return launchers(tmp_path / "repo", {RUNNER: LAUNCH})


def test_a_suggestion_is_applied_and_the_report_is_that_of_the_result(repo: Repo, run: Run) -> None:
    done = run(repo, "diff", "main", "--fix")
    assert repo.file(RUNNER).read_text() == FIXED
    assert done.code == 0
    diff, _, report = done.out.partition("\n\n")
    assert f"-{STEP}+{GUARDED}" in f"{diff}\n"
    assert report.startswith("compared     main...work tree, base ")
    assert report.splitlines()[-2].startswith("clean: nothing new found; 1 of 1 changed file reviewed")
    assert done.err == "reviewbot: 1 fix applied to 1 file\n"


def test_what_was_fixed_is_clean_in_the_work_tree_and_once_committed(repo: Repo, run: Run) -> None:
    run(repo, "diff", "main", "--fix")
    assert run(repo, "diff", "main", "--worktree", "--format", "json").review["verdict"] == "clean"
    repo.commit("fixed")
    assert run(repo, "diff", "main", "--format", "json").review["verdict"] == "clean"


def test_only_the_file_is_changed(repo: Repo, run: Run) -> None:
    before = repo.git("rev-parse", "HEAD"), repo.git("ls-files", "--stage"), repo.git("count-objects", "-v")
    run(repo, "diff", "main", "--fix")
    assert before == (
        repo.git("rev-parse", "HEAD"),
        repo.git("ls-files", "--stage"),
        repo.git("count-objects", "-v"),
    )
    assert repo.git("status", "--porcelain") == f" M {RUNNER}"


def test_a_second_run_finds_the_tree_not_clean(repo: Repo, run: Run) -> None:
    run(repo, "diff", "main", "--fix")
    again = run(repo, "diff", "main", "--fix")
    assert (again.code, again.out) == (2, "")
    assert again.err == (
        f"reviewbot: error: the work tree is not clean: {RUNNER}; commit or stash that first, or have the "
        "fixes on a branch of their own: --fix --branch NAME\n"
    )


def test_what_is_old_is_not_fixed(tmp_path: Path, run: Run) -> None:
    repo = launchers(tmp_path / "repo", {}, base={RUNNER: LAUNCH})
    repo.write(RUNNER, LAUNCH + "# done\n")
    repo.commit("another line")
    done = run(repo, "diff", "main", "--fix", "--format", "json")
    assert [f["preexisting"] for f in done.review["findings"]] == [True]
    assert repo.file(RUNNER).read_text() == LAUNCH + "# done\n"
    assert done.err.endswith("nothing to fix: no new finding has a suggestion that holds\n")


def test_a_program_reads_the_report_alone(repo: Repo, run: Run) -> None:
    done = run(repo, "diff", "main", "--fix", "--format", "json")
    assert (done.review["verdict"], done.review["head"]) == ("clean", None)
    assert f"+{GUARDED}" in done.err


def test_the_report_goes_to_its_file_and_the_diff_to_stdout(repo: Repo, run: Run) -> None:
    done = run(repo, "diff", "main", "--fix", "--format", "json", "--output", "../report.json")
    assert json.loads(repo.path.parent.joinpath("report.json").read_text())["verdict"] == "clean"
    assert f"+{GUARDED}" in done.out


# --- what a file is ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (LAUNCH.replace("\n", "\r\n"), FIXED.replace("\n", "\r\n")),
        (LAUNCH.removesuffix(" || exit 1\n"), FIXED.removesuffix(" || exit 1\n")),
        (f"{LAUNCH}# caf\u00e9 \u4f60\u597d\n", f"{FIXED}# caf\u00e9 \u4f60\u597d\n"),
    ],
    ids=["CRLF", "no final line end", "UTF-8"],
)
def test_the_form_of_a_file_stays(tmp_path: Path, run: Run, before: str, after: str) -> None:
    repo = launchers(tmp_path / "repo", {RUNNER: before.encode()})
    run(repo, "diff", "main", "--fix")
    assert repo.file(RUNNER).read_bytes() == after.encode()


def test_line_ends_that_only_the_disk_has_stay(repo: Repo, run: Run) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.rm(RUNNER)
    repo.git("checkout", "--", RUNNER)
    assert repo.file(RUNNER).read_bytes() == LAUNCH.replace("\n", "\r\n").encode()
    assert run(repo, "diff", "main", "--fix").code == 0
    assert repo.file(RUNNER).read_bytes() == FIXED.replace("\n", "\r\n").encode()
    repo.git("add", RUNNER)
    assert repo.git("show", f":{RUNNER}") + "\n" == FIXED


@pytest.mark.parametrize("mode", [0o755, 0o640, 0o700])
def test_the_mode_of_a_file_stays(repo: Repo, run: Run, mode: int) -> None:
    repo.git("config", "core.fileMode", "false")
    repo.file(RUNNER).chmod(mode)
    run(repo, "diff", "main", "--fix")
    assert repo.file(RUNNER).read_text() == FIXED
    assert stat.S_IMODE(repo.file(RUNNER).stat().st_mode) == mode


# --- together ---------------------------------------------------------------------------------


def test_several_files_and_a_folder_within(tmp_path: Path, run: Run) -> None:
    names = ["runners/launch_a.sh", "runners/launch_b.sh", "runners/deep/launch_c.sh"]
    repo = launchers(tmp_path / "repo", dict.fromkeys(names, LAUNCH))
    done = run(repo, "diff", "main", "--fix")
    assert [repo.file(name).read_text() for name in names] == [FIXED] * 3
    assert (done.code, done.err) == (0, "reviewbot: 3 fixes applied to 3 files\n")


BROKEN_BY_FIX = f"#!/bin/bash\n! grep -q 'inject.py \"$CONFIG\" || exit' {RUNNER}\n"


def gated(folder: Path, script: str, *names: str) -> Repo:
    base: dict[str, str | bytes] = {".reviewbot/skills/gated/SKILL.md": GATED, "tests/run.sh": script}
    return launchers(folder, dict.fromkeys(names, LAUNCH), base)


def test_a_fix_after_which_a_gate_fails_is_taken_back(tmp_path: Path, run: Run) -> None:
    repo = gated(tmp_path / "repo", BROKEN_BY_FIX, RUNNER, "runners/other.sh")
    done = run(repo, "diff", "main", "--fix", "--skill", "gated", "--unsafe-run-gates", "--format", "json")
    assert repo.file(RUNNER).read_text() == LAUNCH
    assert repo.file("runners/other.sh").read_text() == FIXED
    assert f"kept {RUNNER}:5: the fix was taken back: it would leave: " in done.err
    assert [(f["path"], f["origin"]) for f in done.review["findings"]] == [(RUNNER, "detector")]
    assert [g["status"] for g in done.review["gates"]] == ["passed"]
    assert (done.code, done.err.splitlines()[-1]) == (1, "reviewbot: 1 fix applied to 1 file")


def test_all_are_taken_back_where_each_breaks_the_gate(tmp_path: Path, run: Run) -> None:
    script = "#!/bin/bash\n! grep -rq 'inject.py \"$CONFIG\" || exit' runners\n"
    repo = gated(tmp_path / "repo", script, RUNNER, "runners/other.sh")
    done = run(repo, "diff", "main", "--fix", "--skill", "gated", "--unsafe-run-gates")
    assert repo.git("status", "--porcelain") == ""
    assert done.code == 1
    assert done.err.count("the fix was taken back") == 2
    assert done.err.endswith("reviewbot: nothing was fixed\n")
    assert not done.out.startswith("diff --git")


def test_a_gate_that_failed_before_takes_nothing_back(tmp_path: Path, run: Run) -> None:
    repo = gated(tmp_path / "repo", "#!/bin/bash\necho no; exit 1\n", RUNNER)
    run(repo, "diff", "main", "--fix", "--skill", "gated", "--unsafe-run-gates")
    assert repo.file(RUNNER).read_text() == FIXED


def test_what_cannot_be_reviewed_whole_is_fixed_and_stays_incomplete(tmp_path: Path, run: Run) -> None:
    repo = launchers(
        tmp_path / "repo", {RUNNER: LAUNCH, "runners/launch_x.sh": b"#!/bin/bash\n\xff inject.py\n"}
    )
    done = run(repo, "diff", "main", "--fix", "--format", "json")
    assert repo.file(RUNNER).read_text() == FIXED
    assert (done.code, done.review["verdict"]) == (3, "incomplete")


# --- asking -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "extra", "content", "code"),
    [("y\n", [], FIXED, 0), ("n\n", [], LAUNCH, 1), ("", [], LAUNCH, 1), ("n\n", ["--yes"], FIXED, 0)],
)
def test_a_terminal_is_asked(
    repo: Repo,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    extra: list[str],
    content: str,
    code: int,
) -> None:
    monkeypatch.setattr("reviewbot.hosts.terminal.somebody", lambda: True)
    read, write = os.pipe()
    os.write(write, answer.encode())
    os.close(write)
    with os.fdopen(read) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        done = run(repo, "diff", "main", "--fix", *extra)
    assert repo.file(RUNNER).read_text() == content
    assert done.code == code
    assert ("Apply 1 fix? [y/N] " in done.err) is not bool(extra)
    assert ("nothing was changed" in done.err) is (content == LAUNCH)


# --- wrong use --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["--fix", "--staged"], "--fix and --staged do not go together: fixes are tried on a commit"),
        (["--fix", "--worktree"], "--fix and --worktree do not go together"),
        (["--fix", "--patch", "-"], "--fix and --patch do not go together"),
        (
            ["--fix", "--head", "main"],
            "--fix: main is not what is checked out; check it out, or have the fixes",
        ),
        (["--branch", "x"], "--branch has no meaning without --fix"),
        (["--yes"], "--yes has no meaning without --fix"),
        (["--fix", "--branch", ""], "BRANCH is empty"),
    ],
)
def test_wrong_use_is_one_line(repo: Repo, run: Run, argv: list[str], line: str) -> None:
    done = run(repo, "diff", *argv)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(f"reviewbot: error: {line}")
    assert repo.git("status", "--porcelain") == ""


def test_the_head_that_is_checked_out_may_be_named(repo: Repo, run: Run) -> None:
    assert run(repo, "diff", "main", "--fix", "--head", "work").code == 0
    assert repo.file(RUNNER).read_text() == FIXED


def test_a_bare_repository_has_nothing_to_fix_in(repo: Repo, run: Run, tmp_path: Path) -> None:
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    bare = Repo.__new__(Repo)
    bare.path = tmp_path / "bare"
    done = run(bare, "diff", "main", "--head", "work", "--fix")
    assert (done.code, done.out) == (2, "")
    assert "there is no work tree here" in done.err


def test_help_names_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["diff", "--help"]) == 0
    out = capsys.readouterr().out
    assert all(option in out for option in ("--fix", "--branch NAME", "--yes"))


def test_old_and_new_of_the_launcher_differ() -> None:
    assert len({OLD, LAUNCH, FIXED}) == 3
