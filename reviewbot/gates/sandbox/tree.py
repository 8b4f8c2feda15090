"""The files that a job sees, laid out once: each job gets a copy of them and never writes here."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

NOBODY = 65534  # the user and group inside the sandbox, and outside of it where we are root
PAGE = 4096
LINK, SUBMODULE = 0o120000, 0o160000
DEEPEST = 200  # folders in each other; `shutil.rmtree` of this Python gives up at about 1,000
_NAMES = (errno.ENAMETOOLONG, errno.ENOENT)  # faults of a name; ENOENT: a link without a target


class Entry(NamedTuple):
    """A file of a commit. `mode` is git's: 100644, 100755, 120000 (its content is the target), 160000."""

    path: bytes
    mode: int
    content: bytes


class Tree(NamedTuple):
    folder: str
    size: int  # bytes that a copy takes in memory
    left_out: tuple[tuple[bytes, str], ...] = ()  # paths that could not be laid out, with the reason
    submodules: tuple[bytes, ...] = ()  # empty folders: what is in them, the commit does not hold


@contextmanager
def lay_out(entries: Iterable[Entry]) -> Iterator[Tree]:
    """The entries as files in a folder of their own, which is gone behind the block.

    Links are made last and never followed: nothing is written through one, wherever it leads.
    Raises OSError where the disk is full or there is no folder for temporary files.
    """
    from tempfile import TemporaryDirectory, gettempdir  # 14 ms

    with TemporaryDirectory(prefix="reviewbot-tree-", dir=_open_place(gettempdir())) as folder:
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        laying = _Laying(os.fsencode(folder))
        links = []
        for entry in entries:
            if entry.mode == LINK:
                links.append(entry)
            else:
                laying.put(entry)
        for entry in links:
            laying.put(entry)
        yield Tree(folder, laying.size, tuple(laying.left_out), tuple(laying.submodules))


def _open_place(wanted: str) -> str:
    """The folder for temporary files; where we are root and nobody may not enter it, one that nobody may."""
    if os.geteuid():
        return wanted
    return next((place for place in (wanted, "/tmp", "/var/tmp") if enterable(place)), wanted)


def enterable(place: str) -> bool:
    """Whether every user may run a program, or go through a folder, and through all folders around it."""
    place = os.path.realpath(place)
    above = os.path.dirname(place)
    try:
        open_to_all = os.stat(place).st_mode & stat.S_IXOTH
    except OSError:
        return False
    return bool(open_to_all) and (above == place or enterable(above))


class _Laying:
    def __init__(self, top: bytes) -> None:
        self.size = PAGE
        self.left_out: list[tuple[bytes, str]] = []
        self.submodules: list[bytes] = []
        self._top = top
        self._folders = {b""}  # those that were made here: no link is among them

    def put(self, entry: Entry) -> None:
        why = _unsafe(entry.path)
        if not why:
            try:
                self._folder(os.path.dirname(entry.path))
                self._make(os.path.join(self._top, entry.path), entry)
            except FileExistsError:
                why = "another entry stands there"
            except ValueError:
                why = "a null byte in the target of a link"
            except OSError as error:
                if error.errno not in _NAMES:
                    raise
                why = os.strerror(error.errno)
        if why:
            self.left_out.append((entry.path, why))

    def _folder(self, path: bytes) -> None:
        """Make a folder and those around it. Raises FileExistsError where a file or a link stands."""
        if path in self._folders:
            return
        self._folder(os.path.dirname(path))
        place = os.path.join(self._top, path)
        os.mkdir(place)
        os.chmod(place, 0o755)  # whatever our umask is
        self._folders.add(path)
        self.size += PAGE

    def _make(self, place: bytes, entry: Entry) -> None:
        if entry.mode == SUBMODULE:
            self._folder(entry.path)
            self.submodules.append(entry.path)
        elif entry.mode == LINK:
            os.symlink(entry.content, place)
        else:
            with open(place, "xb") as file:
                file.write(entry.content)
                os.fchmod(file.fileno(), 0o755 if entry.mode & 0o100 else 0o644)
        self.size += PAGE + -(-len(entry.content) // PAGE) * PAGE


def _unsafe(path: bytes) -> str:
    """Why a path is not laid out; git makes no such tree, but a stranger's program can."""
    parts = path.split(b"/")
    if b"\0" in path or any(part in (b"", b".", b"..") for part in parts):
        return "no path inside a repository"
    if len(parts) > DEEPEST:
        return f"more than {DEEPEST} folders in each other"
    return "git's own folder" if any(part.lower() == b".git" for part in parts) else ""
