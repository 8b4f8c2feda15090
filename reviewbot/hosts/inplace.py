"""Fixes in the work tree: each file whole or untouched, and only where it is what was reviewed."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from reviewbot.core.errors import UsageError
from reviewbot.core.paths import path_text
from reviewbot.core.visible import name as shown
from reviewbot.hosts.git import Git
from reviewbot.hosts.worktree import folder_of, read_file, user_settings

LARGEST = 16_000_000  # bytes of a file; what is reviewed is smaller by far
CLEAN = "commit or stash that first, or have the fixes on a branch of their own: --fix --branch NAME"


def check_clean(git: Git) -> None:
    """Raise UsageError where a tracked file is not as HEAD has it: nobody could tell the fixes from it."""
    git = git.configured(user_settings(git))
    options = ("--porcelain", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=dirty")
    rows = git.ask("status", *options).split(b"\0")[:-1]
    if rows:
        more = f" and {len(rows) - 1:,} more" if len(rows) > 1 else ""
        raise UsageError(f"the work tree is not clean: {shown(path_text(rows[0][3:]))}{more}", CLEAN)


@contextmanager
def alone(git: Git) -> Iterator[None]:
    """No other reviewbot writes into this work tree meanwhile. A lock dies with its process."""
    top = os.open(git.folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # a file system without locks: each file is compared before it is replaced
            fcntl.flock(top, fcntl.LOCK_EX)
        yield
    finally:
        os.close(top)


def unfit(top: str, path: str, stored: bytes) -> str:
    """Why a file cannot be fixed in place; "" if it can. `stored` is what git has of it."""
    try:
        mode, content = _read(top, path)
    except OSError as error:
        return _words(error)
    if not mode & 0o222:
        return "it is read-only"
    if _as_on_disk(stored, stored, content) is None:
        return "on the disk it is not what git has (changed meanwhile, a filter, or an encoding)"
    return ""


def put(top: str, path: str, old: bytes, new: bytes) -> str:
    """Replace a file that git has as `old`, at once and whole, by `new` with the line ends of the disk; why
    that was not done, "" if it was."""
    if why := unfit(top, path, old):
        return why
    try:
        _, content = _read(top, path)
        data = _as_on_disk(old, new, content)
        if data is None:
            return "it was changed meanwhile"
        _replace(top, path, data, content)
    except OSError as error:
        return _words(error)
    return ""


def _read(top: str, path: str) -> tuple[int, bytes]:
    with folder_of(top, path) as (folder, name):
        mode = os.lstat(name, dir_fd=folder).st_mode
    return stat.S_IMODE(mode), read_file(top, path, LARGEST)[1]


def _as_on_disk(old: bytes, new: bytes, disk: bytes) -> bytes | None:
    """`new` in the form in which `disk` has `old`; None where it has something else."""
    if disk == old:
        return new
    return _crlf(new) if b"\r" not in old and disk == _crlf(old) else None  # core.autocrlf, or eol=crlf


def _crlf(content: bytes) -> bytes:
    return content.replace(b"\n", b"\r\n")


def _replace(top: str, path: str, data: bytes, seen: bytes) -> None:
    """By a rename in the file's own folder, whatever its path leads through by then. Raises OSError."""
    with folder_of(top, path) as (folder, name):
        was = os.lstat(name, dir_fd=folder)
        temporary = b".reviewbot-%d.tmp" % os.getpid()
        made = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=folder)
        try:
            with os.fdopen(made, "wb") as file:
                file.write(data)
                file.flush()
                own = os.fstat(made)
                if (own.st_uid, own.st_gid) != (was.st_uid, was.st_gid):
                    os.fchown(made, was.st_uid, was.st_gid)
                os.fchmod(made, stat.S_IMODE(was.st_mode))  # behind chown, which takes bits away
                os.fsync(made)
            if not stat.S_ISREG(was.st_mode) or read_file(top, path, LARGEST)[1] != seen:
                raise OSError(errno.EBUSY, "it was changed meanwhile")
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(FileNotFoundError):  # it was renamed already
                os.unlink(temporary, dir_fd=folder)
            raise


def _words(error: OSError) -> str:
    if error.errno == errno.ENOENT:
        return "it is not in the work tree (a sparse checkout, or removed meanwhile)"
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return "a symbolic link stands in its way"
    return (error.strerror or str(error)).lower()
