"""All files of one side of a change, for what has to run in them: of a commit, the index or the work tree."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reviewbot.core.errors import UsageError
from reviewbot.core.paths import path_bytes, path_text, size_text
from reviewbot.core.types import Side
from reviewbot.hosts.git import Git
from reviewbot.hosts.local import LocalSource
from reviewbot.hosts.worktree import folder_of, read_file, whole_index

SIZE = 256_000_000  # bytes of all files: each gate gets a copy of them in memory
FILES = 100_000
LINK, SUBMODULE = 0o120000, 0o160000
_GONE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)  # a folder on the way can be a link now


class TreeFile(NamedTuple):
    """`mode` is git's: 100644, 100755, 120000 (the content is the target), 160000 (there is none)."""

    path: bytes
    mode: int
    content: bytes


def tree_id(source: LocalSource, side: Side) -> str:
    """Git's name for the files of `side`; "" where they are those of the index or the work tree. Raises
    UsageError."""
    commit = source.ground if side is Side.LEFT else source.head
    if commit is None or (side is Side.RIGHT and source.mode == "worktree"):
        return ""
    return source.git.ask("rev-parse", "--verify", f"{commit}^{{tree}}").decode("ascii").strip()


def whole_tree(source: LocalSource, side: Side) -> Iterator[TreeFile]:
    """The files of `side`. Raises UsageError for a tree that is too large, or not whole."""
    if side is Side.RIGHT and source.mode == "worktree":
        files = _on_disk(source)
    elif side is Side.RIGHT and source.head is None:
        files = _in_index(source.git)
    else:
        files = _at_commit(source.git, (source.head if side is Side.RIGHT else None) or source.ground)
    size = 0
    for count, file in enumerate(files, 1):
        size += len(file.content)
        if size > SIZE or count > FILES:
            raise _too_large(f"{FILES:,} files" if count > FILES else size_text(SIZE))
        yield file


def _too_large(limit: str) -> UsageError:
    return UsageError(f"the tree has more than {limit}, the limit for gates that execute")


def _at_commit(git: Git, commit: str) -> Iterator[TreeFile]:
    rows = git.ask("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")[:-1]
    listed = [(about.split(b" "), path) for about, _, path in (row.partition(b"\t") for row in rows)]
    return _stored(git, [(path, int(mode, 8), name) for (mode, _, name), path in listed])


def _in_index(git: Git) -> Iterator[TreeFile]:
    rows = git.ask("ls-files", "--stage", "-z").split(b"\0")[:-1]
    listed = [(about.split(b" "), path) for about, _, path in (row.partition(b"\t") for row in rows)]
    if any(stage != b"0" for (_, _, stage), _ in listed):
        raise UsageError("the index holds a merge that is not resolved")
    return _stored(git, [(path, int(mode, 8), name) for (mode, name, _), path in listed])


def _stored(git: Git, listed: Sequence[tuple[bytes, int, bytes]]) -> Iterator[TreeFile]:
    """The files of (path, mode, name of the blob). Raises UsageError for too many before any is read: they
    may have to be fetched."""
    if len(listed) > FILES:
        raise _too_large(f"{FILES:,} files")
    yield from (TreeFile(path, mode, b"") for path, mode, _ in listed if mode == SUBMODULE)
    files = [row for row in listed if row[1] != SUBMODULE]
    blobs = git.blobs([name for _, _, name in files], SIZE + 1)
    for (path, mode, _), blob in zip(files, blobs, strict=True):
        if blob is None:
            raise UsageError(f"git lacks the content of {path_text(path)}")
        yield TreeFile(path, mode, blob.content)


def _on_disk(source: LocalSource) -> Iterator[TreeFile]:
    """What is tracked or could be: not what is ignored, nor what is no regular file and no link."""
    with whole_index(source.git, source.base) as (git, aside):
        rows = git.ask("ls-files", "--cached", "-z").split(b"\0")[:-1]
    top = source.git.folder
    for path in dict.fromkeys((*map(path_text, rows), *aside)):
        try:
            file = _file(top, path)
        except OSError as error:
            if error.errno in _GONE:
                continue
            raise UsageError(f"{path} cannot be read: {error.strerror or error}") from error
        if file:
            yield file


def _file(top: str, path: str) -> TreeFile | None:
    """None for a pipe, a socket or a device. Raises OSError."""
    with folder_of(top, path) as (folder, name):
        mode = os.lstat(name, dir_fd=folder).st_mode
        if stat.S_ISLNK(mode):
            return TreeFile(path_bytes(path), LINK, os.readlink(name, dir_fd=folder))
        if stat.S_ISDIR(mode):
            return TreeFile(path_bytes(path), SUBMODULE, b"")
        if not stat.S_ISREG(mode):
            return None
    _, content = read_file(top, path, SIZE + 1)
    return TreeFile(path_bytes(path), 0o100755 if mode & 0o100 else 0o100644, content)
