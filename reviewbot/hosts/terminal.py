"""The terminal in front of the user: its width, its colours, and a line of progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from reviewbot import assets
from reviewbot.core.options import silent
from reviewbot.core.ports import Progress
from reviewbot.core.report import Page
from reviewbot.core.visible import encodable


def page(cwd: str) -> Page:
    """What stdout is. Colours and links only on a terminal that takes them (https://no-color.org)."""
    if not _is_terminal(sys.stdout):
        return Page(look=assets.look)
    from pathlib import Path  # 10 ms

    colour = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    top = next((p for p in (Path(cwd), *Path(cwd).parents) if (p / ".git").exists()), None)
    link = (lambda path: (top / path).as_uri()) if top and colour else None
    return Page(_width(), colour, link, assets.look)


@contextmanager
def progress(quiet: bool = False) -> Iterator[Progress]:
    """A Progress that keeps one line of stderr up to date, and leaves no trace of it."""
    if quiet or not _is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        yield silent
        return
    try:
        yield _line
    finally:
        _write("\r\x1b[K")


def show_aside(text: str) -> None:
    """Text for people on stderr, where stdout has a report for programs."""
    if sys.stderr is not None:
        _write(encodable(text))


def somebody() -> bool:
    """Whether there is somebody to ask, who can read the question."""
    return _is_terminal(sys.stdin) and _is_terminal(sys.stderr)


def ask(question: str) -> bool:
    """Whether the answer is yes; everything else is no, the end of input too."""
    _write(f"{question} [y/N] ")
    answer = sys.stdin.readline() if sys.stdin else ""
    if not answer.endswith("\n"):
        _write("\n")
    return answer.strip().lower() in ("y", "yes")


def _line(stage: str, done: int = 0, total: int = 0) -> None:
    _write(f"\r\x1b[K{stage} {done:,}/{total:,}" if total else f"\r\x1b[K{stage}")


def _write(text: str) -> None:
    with suppress(OSError):  # nobody is watching any more
        sys.stderr.write(text)
        sys.stderr.flush()


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _width() -> int:
    """COLUMNS, else what the terminal says, else 80."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given):
        return int(given)
    with suppress(OSError):
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    return 80
