"""What is run in the sandbox, and how it ended."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from reviewbot.gates.sandbox.tree import Tree

MIB = 1024 * 1024


class Limits(NamedTuple):
    cpu: int = 300  # seconds of processor time of one process
    memory: int = 2048 * MIB  # bytes of its own that one process has
    processes: int = 256  # and threads, at one time
    file: int = 256 * MIB  # bytes of one file
    scratch: int = 512 * MIB  # bytes of /tmp, and bytes by which the tree may grow
    output: int = 64 * MIB  # bytes of both streams; what is kept of them is less


class Job(NamedTuple):
    """`argv` is run in the tree, without a shell. A name without a slash is looked for among the
    tools, then in the system's own folders; never in the tree.

    `env`: names and values; PATH, HOME and TMPDIR are the sandbox's own, whatever is given.
    `binds`: paths of the host that are readable inside, at the same place. `tools`: name and program.
    `path`: folders of `binds` in which programs are looked for before the system's. `over`: files that are
    laid over the tree, in the place of its own; where one has a file and the other a folder it fails.
    """

    argv: tuple[str, ...]
    tree: Tree
    timeout: float  # seconds, from its own start
    limits: Limits = Limits()
    env: tuple[tuple[str, str], ...] = ()
    binds: tuple[str, ...] = ()
    tools: tuple[tuple[str, str], ...] = ()
    path: tuple[str, ...] = ()
    over: Tree | None = None


class End(StrEnum):
    EXITED = "exited"
    TIMEOUT = "timeout"
    CPU = "cpu"  # a process used up its processor time
    MEMORY = "memory"  # the machine had hardly any left
    OUTPUT = "output"  # it printed more than the limit
    MISSING = "missing"  # the program is not in the sandbox, or cannot be started
    FAILED = "failed"  # the sandbox could not be made: nothing of the job was run


class Ended(NamedTuple):
    how: End
    why: str = ""  # in words; of one that exited, only where its exit code needs some
    exit: int | None = None  # if it exited; 128 + N where signal N ended it
    seconds: float = 0.0  # without those that its sandbox took to start
    stdout: str = ""
    stderr: str = ""
    cut: int = 0  # bytes of output that were not kept
