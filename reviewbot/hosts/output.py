"""Where a report goes: stdout or a file; and the one line on stderr. Nothing is half-written."""

from __future__ import annotations

import errno
import os
import shlex
import stat
import sys
from contextlib import suppress

from reviewbot.core.errors import OutputError, UsageError


def read_input(path: str, what: str = "the file", most: int | None = None) -> bytes:
    """The bytes of the file that an argument names; "-" is stdin. `what` is it for people, `most` how many
    bytes it may have."""
    limit = -1 if most is None else most + 1
    try:
        if path == "-":
            if sys.stdin is None:
                raise UsageError(f"cannot read {what} -: standard input is closed", "name a file")
            content = sys.stdin.buffer.read(limit)
        else:
            with open(path, "rb") as file:
                content = file.read(limit)
    except OSError as error:
        raise UsageError(f"cannot read {what} {path}: {error.strerror}") from error
    if most is not None and len(content) > most:
        raise UsageError(f"{what} {path} is larger than {most // 1_000_000} MB", "give what was delivered")
    return content


def read_regular(path: str, what: str, most: int) -> bytes:
    """The first `most` bytes of a regular file. Raises UsageError for what else may have no end."""
    try:
        # O_NONBLOCK: a pipe in the file's place must not hold us.
        with open(path, "rb", opener=lambda p, flags: os.open(p, flags | os.O_NONBLOCK)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UsageError(f"{what} {path} is not a regular file", "name one")
            return file.read(most)
    except OSError as error:
        raise UsageError(f"cannot read {what} {path}: {error.strerror}") from error


def own_command() -> str:
    """How this program can be started from any folder."""
    import shutil

    program = os.path.abspath(sys.argv[0])
    if shutil.which("reviewbot") == program or os.path.basename(program) != "reviewbot":
        return "reviewbot"
    return shlex.quote(program)


def check_place(path: str, option: str = "--output") -> None:
    """Raise before the work begins where a report could not be written after it."""
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise UsageError(f"{option} {path} is a folder", "name a file in it")
    if not os.path.isdir(folder):
        raise UsageError(f"{option} {path}: there is no folder {folder}", "make it first")
    if not os.access(folder, os.W_OK) and not _is_device(path):
        raise OutputError(f"{option} {path}: the folder {folder} is not writable", "nothing was reviewed")


def save(text: str, path: str) -> None:
    """Write the file whole or not at all: beside it first, then renamed over it."""
    data = text.encode("utf-8")
    try:
        if _is_device(path):
            with open(path, "wb") as device:
                device.write(data)
        else:
            _replace(os.path.realpath(path), data)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from error


def _replace(target: str, data: bytes) -> None:
    temporary = os.path.join(os.path.dirname(target), f".reviewbot-{os.getpid()}.tmp")
    file = open(temporary, "xb")  # noqa: SIM115 - what stands there already is not ours to remove
    try:
        with file:
            if os.path.exists(target):
                os.chmod(file.fileno(), stat.S_IMODE(os.stat(target).st_mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def show(text: str) -> None:
    """Write a report on stdout. Raises OutputError where it did not arrive whole."""
    if sys.stdout is None:
        raise OutputError("standard output is closed", "name a file with --output")
    data = text.encode(sys.stdout.encoding or "utf-8", "backslashreplace")
    try:
        sys.stdout.flush()
        _write(data)
        sys.stdout.buffer.flush()
    except OSError as error:
        raise stdout_lost(error) from error


def _write(data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        # With PYTHONUNBUFFERED this is the raw file, which may take a part and say nothing.
        written = sys.stdout.buffer.write(rest)
        if not written:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        rest = rest[written:]


def stdout_lost(error: OSError) -> OutputError:
    """The error to raise for a stdout that takes no more; it is silenced for the interpreter's end."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    if isinstance(error, BrokenPipeError):
        return OutputError("standard output was closed before the whole report was written")
    return OutputError(f"cannot write the report to standard output: {error.strerror}")


def say(message: str) -> None:
    """One line for people on stderr, if there is one."""
    from reviewbot.core.visible import visible

    try:
        if sys.stderr:
            print(f"reviewbot: {visible(' '.join(message.split()))}", file=sys.stderr, flush=True)
    except (OSError, ValueError):  # a stderr that takes nothing: the exit code still speaks,
        sys.stderr = None  # if Python does not try once more at its own end (its exit code is then 120)


def _is_device(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path)
