"""New files of a work tree: what stands in their place; each is written whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile

from reviewbot.core.errors import UsageError
from reviewbot.hosts.worktree import read_file

MOST = 1_000_000  # bytes that are compared


def below(top: str, path: str) -> str:
    """The way from `top` to an absolute path, by its words: links behind `top` stand. "" for one outside."""
    top, folder = os.path.realpath(top), os.path.dirname(path)
    while os.path.realpath(folder) != top:
        if folder == os.path.dirname(folder):
            return ""
        folder = os.path.dirname(folder)
    return os.path.relpath(path, folder)


def standing(top: str, path: str, most: int = MOST) -> bytes | None:
    """The first `most` bytes of what stands at `path` below `top`; None where nothing does. Raises UsageError
    for a link, a folder or a special file there, and for what is no folder on the way."""
    try:
        return read_file(top, path, most)[1]
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise UsageError(
                f"{path} is a link, or lies behind what is no folder", "move that away"
            ) from error
        raise UsageError(f"{path} cannot be read: {error.strerror}", "move it away") from error


def write(top: str, path: str, content: bytes) -> None:
    """Write the file, beside its place first. Raises UsageError where the disk refuses."""
    target = os.path.join(top, path)
    temporary = None
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".reviewbot-", dir=os.path.dirname(target))
        with open(handle, "wb") as file:
            os.fchmod(handle, 0o644 & ~_umask())
            file.write(content)
        os.replace(temporary, target)
    except OSError as error:
        if temporary and os.path.lexists(temporary):
            os.unlink(temporary)
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
