"""Whatever goes wrong is one clear line, the right exit code, and never a traceback."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from reviewbot import cli
from reviewbot.core import report
from reviewbot.core.errors import UsageError
from reviewbot.core.options import DiffOptions
from reviewbot.core.types import Review
from reviewbot.wiring import diff
from tests.commands import MANY, Asked, command, finish, start


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Asked:
    return Asked.by(monkeypatch, tmp_path)


def fails(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def run_diff(options: DiffOptions) -> Review:
        raise error

    monkeypatch.setattr(diff, "run_diff", run_diff)


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
    assert cli.run(["diff"]) == 3
    assert capsys.readouterr().err.startswith("Traceback (most recent call last):\n")


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
    assert "\nclean: " in out
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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_and_a_cancelled_job_are_one_line_and_130(number: signal.Signals) -> None:
    body = "print('ready', flush=True); signal.pause()"
    with start(command(body, "diff"), stdout=-1, stderr=-1) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"reviewbot: interrupted\n")


def test_a_patch_from_a_closed_stdin_is_wrong_use() -> None:
    code, out, err = finish(["bash", "-c", '"$@" <&-', "-", *command("pass", "diff", "--patch", "-")])
    assert (code, out, err) == (
        2,
        "",
        "reviewbot: error: cannot read the patch -: standard input is closed; name a file\n",
    )
