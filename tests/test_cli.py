"""The front door: options, exit codes, and one clear line for whatever goes wrong."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reviewbot import __version__, cli, wiring
from reviewbot.core import report
from reviewbot.core.errors import UsageError
from reviewbot.core.options import DiffOptions
from reviewbot.core.types import Review, Severity
from tests import builders

ROOT = Path(__file__).parent.parent
HEAVY = {
    *("anthropic", "github", "dbos", "sqlalchemy", "httpx", "jinja2", "rich", "click"),
    *("pydantic", "unidiff", "ast_grep_py", "markdown_it", "yaml"),
    *("typing", "dataclasses", "json", "logging", "pathlib", "shutil", "subprocess"),
}

# A process whose review is made up: `review` is the body of run_diff.
STAND_IN = """
import signal, sys
from reviewbot import cli, wiring
from tests import builders
def run_diff(options):
    {body}
wiring.run_diff = run_diff
cli.main()
"""
MANY = "return builders.review(*(builders.suggested(line=n) for n in range(2_000)))"  # beyond a pipe's 64 KB


def command(body: str, *argv: str) -> list[str]:
    return [sys.executable, "-c", STAND_IN.format(body=body), *argv]


def start(args: list[str], **streams: Any) -> subprocess.Popen[bytes]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), **streams.pop("env", {})}
    return subprocess.Popen(args, env=env, **streams)


def finish(args: list[str], **streams: Any) -> tuple[int, str, str]:
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    with start(args, **streams) as process:
        out, err = process.communicate(timeout=60)
    return process.returncode, (out or b"").decode(), (err or b"").decode()


class Asked:
    """Stands in for wiring.run_diff: remembers the options, returns `review`."""

    def __init__(self) -> None:
        self.options: DiffOptions | None = None
        self.review = builders.review()

    def __call__(self, options: DiffOptions) -> Review:
        self.options = options
        return self.review


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Asked:
    asked = Asked()
    monkeypatch.setattr(wiring, "run_diff", asked)
    monkeypatch.chdir(tmp_path)
    return asked


def options(asked: Asked) -> DiffOptions:
    if asked.options is None:
        raise AssertionError("no review was asked for")
    return asked.options


def fails(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def run_diff(options: DiffOptions) -> Review:
        raise error

    monkeypatch.setattr(wiring, "run_diff", run_diff)


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


@pytest.mark.parametrize(("argv", "code"), [([], 2), (["dif"], 2), (["--help"], 0), (["diff", "--help"], 0)])
def test_help_and_unknown_commands(argv: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(argv) == code
    out, err = capsys.readouterr()
    assert bool(out) == (code == 0)
    assert bool(err) == (code == 2)
    assert max(map(len, out.split("\n"))) <= 80


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--version"]) == 0
    assert capsys.readouterr().out == f"reviewbot {__version__}\n"


@pytest.mark.parametrize("argv", [["--help"], ["--version"], ["diff", "--help"], ["demo", "--help"]])
def test_help_imports_nothing_heavy(argv: list[str]) -> None:
    code = f"import sys; from reviewbot.cli import run; run({argv!r}); print(*sys.modules, file=sys.stderr)"
    _, _, err = finish([sys.executable, "-c", code])
    loaded = {name.split(".")[0] for name in err.split()}
    assert loaded & HEAVY == set()
    assert {name for name in err.split() if name.startswith("reviewbot")} == {
        "reviewbot",
        "reviewbot.cli",
        "reviewbot.core",
        "reviewbot.core.errors",
    }


def test_the_formats_offered_are_the_formats_there_are() -> None:
    assert list(report.FORMATS) == list(cli.FORMATS)
    assert list(cli.FAIL_ON) == [*(s.value for s in Severity), "never"]


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
    for name in ("text", "markdown", "json"):
        cli.run(["diff", "--format", name])
        assert capsys.readouterr() == (report.FORMATS[name](asked.review, report.Page()), "")


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
    assert (tmp_path / "real").read_text().startswith("clean: ")


def test_text_that_stdout_cannot_encode_is_escaped() -> None:
    body = "return builders.review(builders.finding(quote='echo 漢字'))"
    code, out, err = finish(command(body, "diff"), env={"PYTHONIOENCODING": "ascii"})
    assert (code, err) == (1, "")
    assert "echo \\u6f22\\u5b57" in out


# --- what can go wrong ------------------------------------------------------------------------


def test_errors_of_ours_are_one_line_with_their_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fails(monkeypatch, UsageError("no\x1b[2J\nrepository", "run it in one"))
    assert cli.run(["diff"]) == 2
    assert capsys.readouterr().err == "reviewbot: error: no\\x1b[2J repository; run it in one\n"


class Panic(BaseException):
    """What ast-grep raises for a fault of its own."""


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (KeyError("x"), "KeyError: 'x'"),
        (MemoryError(), "MemoryError"),
        (RecursionError("too deep"), "RecursionError: too deep"),
        (Panic("unwrap"), "Panic: unwrap"),
    ],
)
def test_a_bug_is_one_line_and_3(
    error: BaseException, what: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fails(monkeypatch, error)
    assert cli.run(["diff"]) == 3
    assert capsys.readouterr().err == (
        f"reviewbot: internal error: {what}; this is a bug in reviewbot; "
        "set REVIEWBOT_TRACEBACK=1 to see where\n"
    )
    monkeypatch.setenv("REVIEWBOT_TRACEBACK", "1")
    with pytest.raises(type(error)):
        cli.run(["diff"])


def test_a_full_disk_during_the_review_names_the_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fails(monkeypatch, OSError(28, "No space left on device", "gate.tmp"))
    assert cli.run(["diff"]) == 3
    assert capsys.readouterr().err == "reviewbot: error: gate.tmp: No space left on device\n"


def test_a_full_disk_loses_no_report(
    asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "review.txt").write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    assert cli.run(["diff", "--output", "review.txt"]) == 3
    out, err = capsys.readouterr()
    assert out == report.FORMATS["text"](asked.review, report.Page())
    assert err == (
        "reviewbot: error: cannot write review.txt: No space left on device; the report was printed instead\n"
    )
    assert (tmp_path / "review.txt").read_text() == "old"
    assert os.listdir(tmp_path) == ["review.txt"]


def test_a_full_device_as_output(asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["diff", "--output", "/dev/full"]) == 3
    out, err = capsys.readouterr()
    assert out.startswith("clean: ")
    assert err.startswith("reviewbot: error: cannot write /dev/full: No space left on device; ")


def test_a_folder_that_cannot_be_written_is_noticed_before_the_work(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere
    assert cli.run(["diff", "--output", "review.txt"]) == 3
    assert "is not writable; nothing was reviewed\n" in capsys.readouterr().err
    assert asked.options is None


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_device_as_stdout(unbuffered: str) -> None:
    with open("/dev/full", "wb") as full:
        code, _, err = finish(command(MANY, "diff"), stdout=full, env={"PYTHONUNBUFFERED": unbuffered})
    assert (code, err) == (
        3,
        "reviewbot: error: cannot write the report to standard output: No space left on device\n",
    )


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("format", ["json", "markdown"])
def test_a_closed_pipe_is_one_line_and_3(format: str, unbuffered: str) -> None:
    shell = '"$@" | head -n 1; exit "${PIPESTATUS[0]}"'
    args = ["bash", "-c", shell, "-", *command(MANY, "diff", "--format", format)]
    code, out, err = finish(args, env={"PYTHONUNBUFFERED": unbuffered})
    assert (code, err) == (
        3,
        "reviewbot: error: standard output was closed before the whole report was written\n",
    )
    assert out.count("\n") == 1


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_report_larger_than_a_pipe_arrives_whole(unbuffered: str) -> None:
    body = MANY.replace("suggested", "finding")
    code, out, err = finish(command(body, "diff", "--format", "json"), env={"PYTHONUNBUFFERED": unbuffered})
    assert (code, len(json.loads(out)["findings"]), err) == (1, 2_000, "")


@pytest.mark.parametrize("argv", [["diff"], ["--help"]])
def test_a_stdout_that_was_never_open(argv: list[str]) -> None:
    code, out, err = finish(["bash", "-c", '"$@" >&-', "-", *command("return builders.review()", *argv)])
    assert "Traceback" not in err
    assert (code, out, err) == (
        (3, "", "reviewbot: error: standard output is closed; name a file with --output\n")
        if argv == ["diff"]
        else (0, "", err)
    )


@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full"])
def test_without_stderr_the_exit_code_still_speaks(streams: str) -> None:
    body = "raise ValueError('x')"
    code, out, _ = finish(["bash", "-c", f'"$@" {streams}', "-", *command(body, "diff")])
    assert (code, out) == (3, "")


def test_ctrl_c_is_one_line_and_130() -> None:
    body = "print('ready', flush=True); signal.pause()"
    with start(command(body, "diff"), stdout=-1, stderr=-1) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"reviewbot: interrupted\n")


# --- on a terminal ------------------------------------------------------------------------------


def on_terminal(stream: str, args: list[str], env: dict[str, str] | None = None) -> tuple[int, str]:
    """Runs with `stream` ("stdout" or "stderr") on a terminal; returns what was shown there."""
    master, slave = pty.openpty()
    streams: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: slave}
    with start(args, env={"TERM": "xterm", **(env or {})}, **streams) as process:
        os.close(slave)
        shown = b"".join(iter(lambda: read(master), b""))
    os.close(master)
    return process.returncode, shown.decode().replace("\r\n", "\n")


def read(master: int) -> bytes:
    try:
        return os.read(master, 65_536)
    except OSError:  # Linux says EIO where the other end is closed
        return b""


PROGRESS = "options.progress('gates'); options.progress('detectors', 1, 2_000); return builders.review()"


def test_progress_is_one_line_that_goes_away() -> None:
    code, shown = on_terminal("stderr", command(PROGRESS, "diff"))
    assert (code, shown) == (0, "\r\x1b[Kgates\r\x1b[Kdetectors 1/2,000\r\x1b[K")


@pytest.mark.parametrize(("argv", "env"), [(["--quiet"], {}), ([], {"TERM": "dumb"})])
def test_progress_is_not_for_everybody(argv: list[str], env: dict[str, str]) -> None:
    assert on_terminal("stderr", command(PROGRESS, "diff", *argv), env) == (0, "")


FOUND = "return builders.review(builders.finding())"


def test_colours_are_for_terminals_that_want_them() -> None:
    _, coloured = on_terminal("stdout", command(FOUND, "diff"))
    assert "\x1b[1;33mwarning\x1b[0m" in coloured
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        _, plain = on_terminal("stdout", command(FOUND, "diff"), env)
        assert "\x1b" not in plain
        assert "warning" in plain


def test_the_report_is_as_wide_as_the_terminal() -> None:
    _, shown = on_terminal("stdout", command(FOUND, "diff"), {"COLUMNS": "50", "NO_COLOR": "1"})
    assert max(map(len, shown.split("\n"))) <= 50
    assert shown.startswith("1. runners/launch_h200.sh:41  warning\n")


def test_the_place_links_to_the_file_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    _, shown = on_terminal(
        "stdout", ["bash", "-c", f'cd {tmp_path}/sub && "$@"', "-", *command(FOUND, "diff")]
    )
    assert f"\x1b]8;;{(tmp_path / 'runners/launch_h200.sh').as_uri()}\x1b\\" in shown
