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
from reviewbot.gates.sandbox.job import End, Ended, Job
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
        began = time.monotonic()
        try:
            ended = self._run(self._bubblewrap, job, began)
        except InterruptedError:
            raise
        except (OSError, ValueError) as error:  # no process, no descriptor, a null byte in a word
            ended = Ended(End.FAILED, f"the sandbox failed: {error}")
        return ended._replace(seconds=time.monotonic() - began)

    def kill(self) -> None:
        self._children.kill()

    def _run(self, bubblewrap: str, job: Job, began: float) -> Ended:
        streams = said, out, err = Stream(), Stream(), Stream()
        with ExitStack() as ours:
            with ExitStack() as given:  # closed as soon as the child has its own
                ends = [_pipe(ours, given) for _ in streams]
                etc = {path: _file(given, text.encode()) for path, text in ETC.items()}
                told = _file(given, b"".join(os.fsencode(word) + b"\0" for word in options(job, etc)))
                # By descriptor: everybody may read a command line, and the environment stands in it.
                command = [bubblewrap, "--args", str(told), "--"]
                command += ["/bin/sh", "-c", starter(job.limits), "sh", *job.argv]
                descriptors = [write for _, write in ends], [told, *etc.values()]
                child = self._children.start(lambda: _start(command, *descriptors))
            try:
                reading = dict(zip((read for read, _ in ends), streams, strict=True))
                over = follow(reading, job, began, lambda: self._children.end(child.pid))
            finally:
                self._children.end(child.pid)
                status = child.wait()
        how, why = over or _how(status, said.text()[0], err.text()[0], job)
        (stdout, cut_out), (stderr, cut_err) = out.text(), err.text()
        exit_code = status if how is End.EXITED else None
        return Ended(how, why, exit_code, 0.0, stdout, stderr, cut_out + cut_err)


def _how(status: int, said: str, stderr: str, job: Job) -> tuple[End, str]:
    """How a job ended that was not ended by us."""
    word = said.partition("\n")[0]  # what follows can be the job's own: it finds a way to that pipe
    if word == "missing":
        return End.MISSING, f"{job.argv[0]} is not in the sandbox"
    if word != "started":
        first = next((line.strip() for line in stderr.split("\n") if line.strip()), f"exit {status}")
        return End.FAILED, f"the sandbox failed: {first[:300]}"
    if status < 0:
        return End.FAILED, f"the sandbox was ended by {signal.Signals(-status).name}"
    if status == 128 + signal.SIGXCPU:
        return End.CPU, f"a process used up {job.limits.cpu} s of processor time"
    if status == 128 + signal.SIGXFSZ:
        return End.FILE, f"a process wrote more than {job.limits.file} bytes into a file"
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
