"""Starts the programs of this folder that use ast-grep: what is hostile must not reach our own process."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
from collections.abc import Iterable
from typing import NamedTuple

from reviewbot.gates.process import Children


class Answers(NamedTuple):
    text: str  # what the program wrote into `answers`, as far as it came
    fate: str  # how it ended, if not well
    late: bool  # its time was over
    spent: bool  # it had used up the processor time that it had given itself


def ask(program: str, job: Iterable[str], seconds: float) -> Answers:
    """Run a program of this folder in an empty one, where it finds the lines of `job`, and read its answers.

    Raises OSError where it cannot be started.
    """
    from tempfile import TemporaryDirectory

    here = os.path.dirname(os.path.abspath(__file__))
    command = [sys.executable, "-I", "-S", "-X", "utf8", os.path.join(here, program), _ast_grep()]
    with TemporaryDirectory(prefix="reviewbot-") as folder:
        with open(os.path.join(folder, "job"), "w", encoding="ascii") as file:
            file.writelines(f"{line}\n" for line in job)
        ended = Children().run(command, folder, seconds)
        try:
            with open(os.path.join(folder, "answers"), encoding="utf-8") as file:
                text = file.read()
        except FileNotFoundError:  # it ended before it had begun
            text = ""
    if ended.exit >= 0:
        said = ended.stderr.strip().rpartition("\n")[2]
        return Answers(text, f"exit {ended.exit}: {said[:200]}" if ended.exit else "", ended.late, False)
    name = signal.Signals(-ended.exit).name
    return Answers(text, f"ended by {name}", ended.late, name == "SIGPROF")


def _ast_grep() -> str:
    """The folder in which ast_grep_py is installed; the child has no other one."""
    found = importlib.util.find_spec("ast_grep_py")
    if found is None or found.origin is None:
        raise OSError("ast-grep-py is not installed")
    return os.path.dirname(os.path.dirname(found.origin))
