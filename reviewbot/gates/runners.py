"""Where a gate that executes code runs: in the sandbox, or, where the user says so, without one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import chain

from reviewbot.core.types import GateTerms
from reviewbot.gates.marks import contents, machine, mark
from reviewbot.gates.process import Children
from reviewbot.gates.programs import find
from reviewbot.gates.sandbox import (
    TREE,
    End,
    Ended,
    Job,
    Limits,
    Sandbox,
    Tree,
    enterable,
    interpreter,
    level,
)

UNSAFE = "run without a sandbox, on a copy (--unsafe-run-gates)"
_MIB = 1024 * 1024
_TOOLS = ("shellcheck", "ruff")  # those of this installation


class Sandboxed:
    notice = ""

    def __init__(self, terms: GateTerms) -> None:
        self._sandbox = Sandbox()
        self._terms = terms

    def why_not(self) -> str:
        """Why no code of the change may run on this machine, with the remedy."""
        found = level()
        return "" if found.full else f"it runs code of the change, and {found.why}: {found.remedy}"

    def sees(self) -> tuple[str, ...] | None:
        """The terms, what is passed on and bound, and this machine's programs; None where too much is bound
        to look through it."""
        terms = self._terms
        homes, folders = _python(terms.python)
        own = [mark(find(name) or name) for name in (*_TOOLS, "bwrap")]
        python = [mark(os.path.join(folder, "python3")) for folder in folders]
        given = [f"{name}={value}" for name, value in _given(terms)]
        bound = [contents(place) for place in terms.binds]
        if any(marks is None for marks in bound):
            return None
        marks = chain.from_iterable(filter(None, bound))
        return (repr(terms), *given, *marks, *own, mark(terms.python), *python, *machine(homes))

    def run(self, argv: tuple[str, ...], tree: Tree, seconds: float) -> Ended:
        terms = self._terms
        binds, path = _python(terms.python)
        limits = Limits()._replace(memory=terms.memory * _MIB, cpu=max(Limits().cpu, int(seconds) + 1))
        job = Job(
            argv,
            tree,
            seconds,
            limits,
            env=tuple(_given(terms)),
            binds=(*terms.binds, *binds),
            tools=tuple((name, found) for name in _TOOLS if (found := find(name)) and _readable(found)),
            path=path,
        )
        return _relative(self._sandbox.run(job), TREE)

    def kill(self) -> None:
        self._sandbox.kill()


class Unsandboxed:
    """For the code of the user's own, who says so: nothing but a time limit stands between them."""

    notice = UNSAFE

    def __init__(self, terms: GateTerms) -> None:
        self._children = Children()
        self._terms = terms

    def why_not(self) -> str:
        return ""

    def sees(self) -> None:
        """Anything on this machine."""

    def run(self, argv: tuple[str, ...], tree: Tree, seconds: float) -> Ended:
        import shutil  # 10 ms, for these gates only
        from tempfile import TemporaryDirectory

        folders = [os.path.dirname(self._terms.python), os.environ.get("PATH", os.defpath)]
        path = ":".join(f for f in ":".join(folders).split(":") if os.path.isabs(f))
        more = dict(_given(self._terms)) | {"PATH": path}
        with TemporaryDirectory(prefix="reviewbot-", ignore_cleanup_errors=True) as top:
            copy = os.path.join(top, "tree")
            shutil.copytree(tree.folder, copy, symlinks=True)
            program = os.path.join(copy, argv[0]) if "/" in argv[0] else shutil.which(argv[0], path=path)
            if program is None:
                return Ended(End.MISSING, f"{argv[0]} is not installed")
            try:
                ended = self._children.run((program, *argv[1:]), copy, seconds, more)
            except OSError as error:  # not executable, or its interpreter is missing
                return Ended(End.FAILED, f"it could not be started: {error.strerror}")
        if ended.late:
            return Ended(End.TIMEOUT, f"ended after {seconds:g} s", None, ended.seconds)
        code = ended.exit if ended.exit >= 0 else 128 - ended.exit
        return _relative(
            Ended(End.EXITED, "", code, ended.seconds, ended.stdout, ended.stderr, ended.cut), copy
        )

    def kill(self) -> None:
        self._children.kill()


def _given(terms: GateTerms) -> Iterator[tuple[str, str]]:
    return ((name, os.environ[name]) for name in terms.env if name in os.environ)


def _python(wanted: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a sandbox must bind for an interpreter, and the folder in which gates find it."""
    if not wanted:
        found, binds = interpreter()
        return binds, (os.path.dirname(found),) if binds else ()
    homes = (os.path.dirname(os.path.dirname(place)) for place in (wanted, os.path.realpath(wanted)))
    own = dict.fromkeys(home for home in homes if home not in ("/", "/usr", "/usr/local"))
    return tuple(own), (os.path.dirname(wanted),)


def _readable(program: str) -> bool:
    """Whether the user of the sandbox, who is not root, may run it."""
    return bool(os.geteuid()) or enterable(program)


def _relative(ended: Ended, folder: str) -> Ended:
    """Paths in the output as they are in the repository."""
    absolute = re.compile(rf"(?:\bfile://|(?<![\w./-])){re.escape(folder)}/")
    return ended._replace(stdout=absolute.sub("", ended.stdout), stderr=absolute.sub("", ended.stderr))
