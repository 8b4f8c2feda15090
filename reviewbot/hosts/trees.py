"""Small trees of files on disk: read whole and within limits, written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from reviewbot.core.errors import UsageError
from reviewbot.core.paths import is_safe, size_text

Tree = Mapping[str, bytes]  # path below the root, "/" between its parts -> content


class Limits(NamedTuple):
    """What a skill may hold: the largest of the public ones stay far below."""

    files: int = 2_000
    file: int = 1_000_000  # bytes, as for a reviewed file
    all: int = 20_000_000


LIMITS = Limits()


def read_tree(folder: str, limits: Limits = LIMITS) -> dict[str, bytes]:
    """The files below `folder`, sorted by path. Raises UsageError for a link, a special file, a `.git`
    and what exceeds the limits; OSError where the disk does."""
    found: dict[str, bytes] = {}
    size = 0
    for path, entry in sorted(_walk(folder, limits), key=lambda row: row[0]):
        place = os.path.join(folder, path)
        if not is_safe(path):
            raise UsageError(f"{place} is no path that git stores", "rename it")
        if not entry.is_file(follow_symlinks=False):
            raise UsageError(f"{place} is a link or a special file", "only regular files are read")
        with open(place, "rb") as file:
            content = file.read(limits.file + 1)
        size += len(content)
        check_size(place, len(found) + 1, len(content), size, limits)
        found[path] = content
    return found


def check_size(place: str, files: int, file: int, all: int, limits: Limits = LIMITS) -> None:
    """Raises UsageError where the file at `place`, the last of `files`, is too much. Sizes are bytes."""
    if files > limits.files:
        raise UsageError(f"{place} is one file too many", f"a skill may hold {limits.files:,}")
    if file > limits.file:
        raise UsageError(f"{place} is too large", f"a file may have {size_text(limits.file)}")
    if all > limits.all:
        raise UsageError(f"{place} is too much", f"together the files may have {size_text(limits.all)}")


def _walk(folder: str, limits: Limits) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Everything below `folder` that is no folder itself, with its path from there. Raises UsageError as
    soon as there are more files or more folders than files may be."""
    todo = [""]
    files, folders = 0, 0
    while todo:
        below = todo.pop()
        with os.scandir(os.path.join(folder, below)) as entries:
            for entry in entries:
                path = f"{below}/{entry.name}" if below else entry.name
                if entry.is_dir(follow_symlinks=False):
                    folders += 1
                    todo.append(path)
                else:
                    files += 1
                    yield path, entry
                if max(files, folders) > limits.files:
                    remedy = f"a skill may hold {limits.files:,}"
                    raise UsageError(f"{folder} holds too many files or folders", remedy)


def write_tree(target: str, files: Tree) -> None:
    """Make the folder `target` with these files: beside it first, then renamed. Raises OSError where
    something stands there."""
    with _staged(target, files) as staged:
        os.rename(staged, target)


def replace_tree(target: str, files: Tree) -> None:
    """The same in place of the folder that stands there."""
    with _staged(target, files) as staged:
        old = f"{staged}.old"
        os.rename(target, old)
        try:
            os.rename(staged, target)
        except OSError:
            os.rename(old, target)
            raise


@contextmanager
def _staged(target: str, files: Tree) -> Iterator[str]:
    parent = os.path.dirname(target)
    os.makedirs(parent, exist_ok=True)
    folder = tempfile.mkdtemp(prefix=".reviewbot-", dir=parent)
    try:
        staged = os.path.join(folder, "new")
        lay_out(staged, files)
        yield staged
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def lay_out(folder: str, files: Tree) -> None:
    """Write the files below the new folder `folder`; none is executable."""
    os.mkdir(folder)
    for path, content in files.items():
        if not is_safe(path):
            raise UsageError(f"{path} is no path inside a folder")
        place = os.path.join(folder, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "xb") as file:
            file.write(content)


def top(cwd: str) -> str:
    """The top of the work tree around `cwd`; `cwd` itself outside of one."""
    folder = os.path.abspath(cwd)
    while not os.path.exists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return os.path.abspath(cwd)
        folder = above
    return folder
