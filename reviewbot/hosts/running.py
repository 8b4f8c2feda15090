"""One running git: its pipes, its end, and what its errors mean for the user."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import IO, NamedTuple, cast

from reviewbot.core.errors import UsageError
from reviewbot.core.paths import path_text

CHUNK = 65_536  # the capacity of a pipe
KEPT = 65_536  # bytes of standard error


class Blob(NamedTuple):
    id: str
    size: int
    content: bytes  # the first bytes of it, as many as were asked for


class Found(NamedTuple):
    """What `cat-file` says of a name. Where links are followed, `kind` may also be "symlink" (it leaves
    the tree; `content` is where it leads), "dangling", "loop" or "notdir"."""

    kind: str  # "blob" | "tree" | "commit" | "missing" | …
    id: str = ""
    size: int = 0
    content: bytes = b""  # the first bytes of it, as many as were asked for


class Bounds(NamedTuple):
    """What a git that talks to a stranger may use."""

    seconds: float
    memory: int  # bytes of data of each process
    file: int  # bytes


def start(
    folder: str,
    environment: Mapping[str, str],
    args: Sequence[str],
    *,
    group: bool = False,
    bounds: Bounds | None = None,
) -> subprocess.Popen[bytes]:
    """A git; with `group` it leads a process group of its own."""
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            ("git", *args),
            cwd=folder,
            env=environment,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            bufsize=CHUNK,
            start_new_session=group,
            preexec_fn=partial(_limit, bounds) if bounds else None,
        )
    except OSError as error:
        if error.filename == "git":
            raise UsageError(
                f"git cannot be started: {error.strerror}", "install git 2.32 or newer"
            ) from error
        raise UsageError(f"{folder} cannot be entered: {error.strerror}") from error


def run(
    folder: str,
    environment: Mapping[str, str],
    args: Sequence[str],
    stdin: bytes = b"",
    bounds: Bounds | None = None,
) -> tuple[int, bytes, bytes]:
    """Runs git to its end; returns its exit code, standard output and standard error.

    Raises TimeoutError where it exceeds the seconds of `bounds`. Interrupted or late, it is ended
    with every process that it has started.
    """
    with start(folder, environment, args, group=True, bounds=bounds) as process:
        try:
            out, said = process.communicate(stdin, bounds.seconds if bounds else None)
        except BaseException as error:
            with suppress(ProcessLookupError, PermissionError):  # nobody is left; macOS says so by EPERM
                os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                raise TimeoutError(f"git {args[0]}") from error
            raise
    return process.returncode, out, said


def _limit(bounds: Bounds) -> None:
    """Limit this process, a child that is about to become git, and what it will start. From outside it
    would come too late: git starts the program that does the talking at once."""
    for what, most in ((resource.RLIMIT_DATA, bounds.memory), (resource.RLIMIT_FSIZE, bounds.file)):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


class Running:
    """A git at work. Its standard input is fed and its standard error drained aside, so that no
    pipe that is full stops it."""

    def __init__(self, process: subprocess.Popen[bytes], args: Sequence[str], stdin: bytes = b"") -> None:
        self.said = b""  # standard error, complete after finish()
        self.code = 0  # exit status, known after finish()
        self._process = process
        self._args = args
        self.out, feed, errors = (cast(IO[bytes], p) for p in (process.stdout, process.stdin, process.stderr))
        self._threads = (
            Thread(target=self._feed, args=(feed, stdin), daemon=True),
            Thread(target=self._drain, args=(errors,), daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def chunks(self) -> Iterator[bytes]:
        """The output. It ends well only if git does, so nobody takes a broken stream for a whole one."""
        while chunk := self.out.read(CHUNK):
            yield chunk
        self.finish()

    def blob(self, cap: int) -> Blob | None:
        """The next answer of `cat-file --batch`: with the first `cap` bytes; None if it is no blob."""
        found = self.found(cap)
        return Blob(found.id, found.size, found.content) if found.kind == "blob" else None

    def found(self, cap: int, *, contents: bool = True) -> Found:
        """The next answer of `cat-file --batch`, or of `--batch-check`, which has no `contents`."""
        line = self.out.readline()
        if line.endswith((b" missing\n", b" ambiguous\n")):
            return Found("missing")
        if not line:
            self.finish()
            raise UsageError("git cat-file ended early")
        *name, kind, size = line.decode("ascii").split()
        if name and not contents:
            return Found(kind, name[0], int(size))
        content = self.out.read(min(int(size), cap))
        left = int(size) - len(content) + 1  # and the LF behind it
        while left and (skipped := self.out.read(min(left, CHUNK))):
            left -= len(skipped)
        return Found(kind, "".join(name), int(size), content)

    def finish(self) -> None:
        """Waits for the end. Raises UsageError if git failed."""
        self.code = self._process.wait()
        for thread in self._threads:
            thread.join()
        if self.code:
            raise failed(self._args, self.said)

    def kill(self) -> None:
        """Ends it, however far it is; nothing happens to a git that has ended."""
        self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join()
        self.out.close()

    def _feed(self, pipe: IO[bytes], data: bytes) -> None:
        with suppress(BrokenPipeError), pipe:  # git may end before it has read everything
            pipe.write(data)

    def _drain(self, pipe: IO[bytes]) -> None:
        with pipe:
            self.said = pipe.read(KEPT)
            while pipe.read(CHUNK):
                pass


def failed(args: Sequence[str], said: bytes) -> UsageError:
    """The one line to show for a git that failed."""
    text = path_text(said)
    if "promisor" in text or "lazy fetch" in text:
        return UsageError(
            "this partial clone lacks objects of the change", "get them: git fetch --refetch --no-filter"
        )
    lines = [line.removeprefix("fatal: ") for line in text.splitlines() if line.strip()]
    return UsageError(f"git {args[0]} failed: {lines[-1] if lines else 'without a word'}")
