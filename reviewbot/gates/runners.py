"""Where a gate that executes code runs: in the sandbox, or, where the user says so, without one."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator

from reviewbot.core.types import GateTerms
from reviewbot.gates.marks import LOCAL, contents, machine, mark
from reviewbot.gates.process import Children
from reviewbot.gates.programs import OURS, find
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


class Sandboxed:
    notice = ""

    def __init__(self, terms: GateTerms) -> None:
        self._sandbox = Sandbox()
        self._terms = terms

    def why_not(self) -> str:
        """Why no code of the change may run on this machine, with the remedy."""
        found = level()
        if not found.full:
            return f"it runs code of the change, and {found.why}: {found.remedy}"
        return _out_of_reach(self._terms)

    def sees(self) -> tuple[str, ...] | None:
        """The terms, what is passed on and bound, and this machine's programs; None where that is too much
        to look through it."""
        terms = self._terms
        python = interpreter(terms.python)
        own = [mark(find(name) or name) for name in (*OURS, "bwrap")]
        found = [mark(os.path.join(folder, "python3")) for folder in python.path]
        given = [f"{name}={value}" for name, value in _given(terms)]
        files = contents((*terms.binds, *python.binds, *LOCAL))
        if files is None:
            return None
        own += [mark(python.program), *found]
        return (repr(terms), *given, files, *own, *machine())

    def run(self, argv: tuple[str, ...], tree: Tree, seconds: float, over: Tree | None = None) -> Ended:
        """On a copy of `tree`, with the files of `over` in it."""
        terms = self._terms
        python = interpreter(terms.python)
        limits = Limits()._replace(memory=terms.memory * _MIB, cpu=max(Limits().cpu, int(seconds) + 1))
        job = Job(
            argv,
            tree,
            seconds,
            limits,
            env=tuple(_given(terms)),
            binds=(*terms.binds, *python.binds),
            tools=tuple((name, found) for name in OURS if (found := find(name)) and _readable(found)),
            path=python.path,
            over=over,
        )
        return _relative(self._sandbox.run(job), TREE)

    def kill(self) -> None:
        self._sandbox.kill()


class Unsandboxed:
    """For the code of the user's own, who says so: nothing but a time limit stands between them. Programs are
    looked for in `path` too, beside the configured Python."""

    notice = UNSAFE

    def __init__(self, terms: GateTerms, path: str = os.defpath) -> None:
        self._children = Children()
        self._terms = terms
        self._path = path

    def why_not(self) -> str:
        return ""

    def sees(self) -> None:
        """Anything on this machine."""

    def run(self, argv: tuple[str, ...], tree: Tree, seconds: float) -> Ended:
        import shutil  # 10 ms, for these gates only
        from tempfile import TemporaryDirectory

        folders = [os.path.dirname(self._terms.python), self._path]
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


def _out_of_reach(terms: GateTerms) -> str:
    """Which place in the configuration no gate could see, in words; "" if all are seen."""
    python = interpreter(terms.python) if terms.python else None
    places = {"binds": terms.binds, "python": (python.program, *python.binds) if python else ()}
    for setting, named in places.items():
        for place in named:
            if not os.path.exists(place):
                return f"[gates] {setting}: {place} is not there"
            if not _open(place):
                who = "root only, and gates run as nobody" if os.geteuid() == 0 else "other users only"
                why = f"can be read by {who}: install it elsewhere or open the folder"
                return f"[gates] {setting}: {place} {why}"
    return ""


def _open(place: str) -> bool:
    """Whether the user of the sandbox may read a file, or look into a folder."""
    if os.geteuid():
        return os.access(place, os.R_OK)
    mode = os.stat(place).st_mode
    needed = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
    around = {os.path.dirname(place), os.path.dirname(os.path.realpath(place))}
    return mode & needed == needed and all(map(enterable, around))


def _readable(program: str) -> bool:
    """Whether the user of the sandbox, who is not root, may run it."""
    return bool(os.geteuid()) or enterable(program)


def _relative(ended: Ended, folder: str) -> Ended:
    """Paths in the output as they are in the repository."""
    absolute = re.compile(rf"(?:\bfile://|(?<![\w./-])){re.escape(folder)}/")
    return ended._replace(stdout=absolute.sub("", ended.stdout), stderr=absolute.sub("", ended.stderr))
