"""The command on a real terminal: progress, colours, width, links."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.commands import command, start


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
