"""Runs jobs in bubblewrap. When `run` returns, the kernel has killed every process of the job."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from reviewbot.gates.output import Stream
from reviewbot.gates.process import Children
from reviewbot.gates.programs import find
from reviewbot.gates.sandbox.follow import follow
from reviewbot.gates.sandbox.job import End, Ended, Job, Limits
from reviewbot.gates.sandbox.profile import ETC, options, starter
from reviewbot.gates.sandbox.tree import NOBODY


class Sandbox:
    """`which` finds bubblewrap. After `kill` all jobs are over and no other is started."""

    def __init__(self, which: Callable[[str], str | None] = find) -> None:
        self._bubblewrap = which("bwrap")
        self._children = Children()

    def run(self, job: Job) -> Ended:
        """Run a job and wait for its end. Raises InterruptedError after `kill`, and nothing else."""
        if self._bubblewrap is None:
            return Ended(End.FAILED, "bubblewrap is not installed")
        if not job.argv or not job.argv[0] or job.argv[0].startswith("-"):
            return Ended(End.FAILED, "the command names no program")
        try:
            return self._run(self._bubblewrap, job)
        except InterruptedError:
            raise
        except (OSError, ValueError) as error:  # no process, no descriptor, a null byte in a word
            return Ended(End.FAILED, f"the sandbox failed: {error}")

    def kill(self) -> None:
        self._children.kill()

    def _run(self, bubblewrap: str, job: Job) -> Ended:
        streams = said, out, err = Stream(), Stream(), Stream()
        with ExitStack() as ours:
            with ExitStack() as given:  # closed as soon as the child has its own
                ends = [_pipe(ours, given) for _ in streams]
                etc = {path: _file(given, text.encode()) for path, text in ETC.items()}
                told = _file(given, b"".join(os.fsencode(word) + b"\0" for word in options(job, etc)))
                # By descriptor: everybody may read a command line, and the environment stands in it.
                command = [bubblewrap, "--args", str(told), "--"]
                command += ["/bin/sh", "-c", starter(job), "sh", *job.argv]
                descriptors = [write for _, write in ends], [told, *etc.values()]
                child = self._children.start(lambda: _start(command, *descriptors))
            try:
                first, *prints = zip((read for read, _ in ends), streams, strict=True)
                over, began = follow(first, prints, job, lambda: self._children.end(child.pid))
            finally:
                self._children.end(child.pid)
                status = child.wait()
        seconds = time.monotonic() - began
        how, why = over or _how(status, said.text()[0], err.text()[0], job, seconds)
        if how is End.MISSING:  # all that was printed is the starter's
            return Ended(how, why, None, seconds)
        (stdout, cut_out), (stderr, cut_err) = out.text(), err.text()
        exit_code = status if how is End.EXITED else None
        return Ended(how, why, exit_code, seconds, stdout, stderr, cut_out + cut_err)


_NO_PROGRAM = {  # exit codes of shells that could not start one
    126: "cannot be started: it is no program of this machine",
    127: "cannot be started: its interpreter is not there",
}


def _how(status: int, said: str, stderr: str, job: Job, seconds: float) -> tuple[End, str]:
    """How a job ended that was not ended by us."""
    # The first word is the starter's. Should a job find a way to that pipe, it can say no more than that it
    # was not run.
    first, second, *_ = [*said.split("\n", 2), ""]
    word, _, why = first.partition(" ")
    if word == "missing":
        return End.MISSING, f"{job.argv[0]} {why}"
    if word != "started":
        first = next((line.strip() for line in stderr.split("\n") if line.strip()), f"exit {status}")
        return End.FAILED, f"the sandbox failed: {first[:300]}"
    if status < 0:
        return End.FAILED, f"the sandbox was ended by {signal.Signals(-status).name}"
    if status in _NO_PROGRAM and second == f"unstarted {status}":
        return End.MISSING, f"{job.argv[0]} {_NO_PROGRAM[status]}"
    return _exited(status, job.limits, seconds)


def _exited(status: int, limits: Limits, seconds: float) -> tuple[End, str]:
    """An exit code of 128 + N can be the job's own, or stand for signal N that ended it: bubblewrap tells
    them apart no more than a shell does. A time can at least be too short for it."""
    if status == 128 + signal.SIGXCPU and seconds * (os.cpu_count() or 1) >= limits.cpu:
        return End.CPU, f"exit {status}, as of a process that used up {limits.cpu} s of processor time"
    if status == 128 + signal.SIGXFSZ:
        wrote = f"a process that wrote more than {limits.file} bytes into a file"
        return End.EXITED, f"exit {status}: its own, or that of {wrote}"
    return End.EXITED, ""


def _start(command: Sequence[str], streams: Sequence[int], more: Sequence[int]) -> subprocess.Popen[bytes]:
    """Start bubblewrap with an empty environment: a job can read that of its first process.

    As nobody, where we are root: the kernel limits the number of everybody's processes but root's.
    """
    nobody = NOBODY if os.geteuid() == 0 else None
    return subprocess.Popen(
        command,
        cwd="/",
        env={},
        stdin=streams[0],
        stdout=streams[1],
        stderr=streams[2],
        pass_fds=more,
        user=nobody,
        group=nobody,
        extra_groups=None if nobody is None else [],
        umask=0o022,
        start_new_session=True,
    )


def _pipe(ours: ExitStack, given: ExitStack) -> tuple[int, int]:
    read, write = os.pipe()
    ours.callback(os.close, read)
    given.callback(os.close, write)
    return read, write


def _file(given: ExitStack, content: bytes) -> int:
    """A descriptor from which the content can be read; a pipe would hold 64 KiB of it."""
    descriptor = os.memfd_create("reviewbot")
    given.callback(os.close, descriptor)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
