"""The work tree: what differs in it, without touching it, and its files, without leaving it."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from reviewbot.core.diff import PATCH_LIMIT
from reviewbot.core.errors import UsageError
from reviewbot.core.paths import past_limit, path_bytes, path_text
from reviewbot.core.types import FileChange, Kind, Status
from reviewbot.hosts.git import Git, own_environment
from reviewbot.hosts.running import run

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

IRREGULAR = "not a regular file"
SNIFFED = 8000  # bytes in which git, too, looks for a NUL
# What says which files are ignored and what the bytes on disk mean as text; filters are programs.
SETTINGS = r"^(core\.(autocrlf|eol|excludesfile)|filter\..*)$"


# What `ls-files -v` marks: untracked, assume-unchanged, skip-worktree, both.
MARKED = re.compile(rb"(?:\A|\0)([?hSs]) ([^\0]+)")


@contextmanager
def whole_index(git: Git, any_id: str) -> Iterator[tuple[Git, Mapping[str, FileChange]]]:
    """Git on a copy of the index that hides nothing: it lists the untracked files too, so that one diff
    shows them and finds what was renamed. And by path the changed files that are kept from it.

    The user's ignore and line-end settings hold, wherever they stand. Filters do not run: a
    stranger's repository names their programs.
    """
    git = git.configured(user_settings(git))
    others, hidden = _unseen(git)
    with _temporary_folder() as folder:
        index = os.path.join(folder, "index")
        original = os.fsdecode(git.ask("rev-parse", "--git-path", "index")).removesuffix("\n")
        _copy(os.path.join(git.folder, original), index)
        git = git.told({"GIT_INDEX_FILE": index})
        aside = {name: file for name in others if (file := _kept_aside(git.folder, name))}
        # Neither id nor mode count: an entry without a time stamp is read from the disk.
        entry = b"100644 %s 0\t%%s" % any_id.encode("ascii")
        _enter(git, [*(entry % name for name in others if name not in aside), *hidden])
        irregular = _irregular(git)
        _enter(git, [b"0 %s\t%s" % (any_id.encode("ascii"), path_bytes(f.path)) for f in irregular])
        yield git, {file.path: file for file in (*aside.values(), *irregular)}


def _unseen(git: Git) -> tuple[list[bytes], list[bytes]]:
    """The names of the untracked files; and the entries of tracked ones that git was told not to look
    at. A skip-worktree file that is absent is none of them: a sparse checkout left it out."""
    listed = git.ask("ls-files", "-v", "-s", "--cached", "--others", "--exclude-standard", "-z")
    others, hidden = [], []
    for tag, entry in MARKED.findall(listed):
        if tag == b"?":
            others.append(entry)
        elif tag == b"h" or os.path.lexists(os.path.join(os.fsencode(git.folder), entry.split(b"\t", 1)[1])):
            hidden.append(entry)
    return others, hidden


def _enter(git: Git, entries: Sequence[bytes]) -> None:
    """Writes entries to the index, without marks and time stamps; mode 0 takes one out."""
    if entries:
        git.ask("update-index", "-z", "--index-info", stdin=b"".join(entry + b"\0" for entry in entries))


def _irregular(git: Git) -> list[FileChange]:
    """The tracked files in whose place stands a pipe, a socket or a device: a diff would die of them."""
    options = ("--name-only", "--diff-filter=d", "--ignore-submodules=dirty", "-z")
    found = []
    for name in git.ask("diff-files", *options).split(b"\0")[:-1]:
        with suppress(OSError):  # gone meanwhile: git will tell
            kind = stat.S_IFMT(os.lstat(os.path.join(os.fsencode(git.folder), name)).st_mode)
            if kind not in (stat.S_IFREG, stat.S_IFLNK, stat.S_IFDIR):
                path = path_text(name)
                found.append(FileChange(path, Status.TYPE_CHANGED, old_path=path, unread=IRREGULAR))
    return found


def _kept_aside(top: str, name: bytes) -> FileChange | None:
    """An untracked thing that a diff must not see: a repository, or a file too large to compare (git
    reads all of it, and dies of one past 1 GB)."""
    path = path_text(name).removesuffix("/")
    if name.endswith(b"/"):
        return FileChange(path, Status.ADDED, Kind.SUBMODULE)
    try:
        size, start = read_file(top, path, SNIFFED)
    except OSError:  # a link, or gone meanwhile: git will tell
        return None
    if size <= PATCH_LIMIT:
        return None
    why = past_limit(size, PATCH_LIMIT)
    return FileChange(path, Status.ADDED, new_mode="100644", binary=b"\0" in start, unread=why)


def user_settings(git: Git) -> dict[str, str]:
    code, out, error = run(git.folder, own_environment(), ("config", "--null", "--get-regexp", SETTINGS))
    if code not in (0, 1):  # 1: nothing is set
        raise UsageError(f"git config: {os.fsdecode(error).strip() or code}")
    pairs = (entry.partition("\n") for entry in os.fsdecode(out).split("\0")[:-1])
    # A key without "=" means true.
    return {
        key: "" if key.startswith("filter.") else value if equals else "true" for key, equals, value in pairs
    }


def _temporary_folder() -> TemporaryDirectory[str]:
    from tempfile import TemporaryDirectory  # 8 ms, needed in this mode only

    try:
        return TemporaryDirectory(prefix="reviewbot-")
    except OSError as error:
        raise UsageError(f"no temporary folder can be made: {error.strerror}", "set TMPDIR") from error


def _copy(source: str, target: str) -> None:
    try:
        with open(source, "rb") as old, open(target, "wb") as new:
            while chunk := old.read(1 << 20):
                new.write(chunk)
            # By it git knows which files may have changed in the second in which the index was written.
            written = os.fstat(old.fileno()).st_mtime_ns
        os.utime(target, ns=(written, written))
    except FileNotFoundError:
        return  # nothing was ever added
    except OSError as error:
        raise UsageError(f"{source} cannot be copied: {error.strerror}") from error


def read_file(top: str, path: str, cap: int) -> tuple[int, bytes]:
    """Size and first `cap` bytes of a regular file below `top`. No symbolic link on the way is
    followed: it could lead out of the repository. Raises OSError."""
    with folder_of(top, path) as (at, name):
        # O_NONBLOCK: a pipe in the file's place must not hold us.
        opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=at)
    with os.fdopen(opened, "rb") as file:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, IRREGULAR)
        return found.st_size, file.read(cap)


@contextmanager
def folder_of(top: str, path: str) -> Iterator[tuple[int, bytes]]:
    """A descriptor of the folder of a file below `top`, and its name there. Raises OSError for a link on
    the way."""
    *folders, name = path_bytes(path).split(b"/")
    at = os.open(top, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for folder in folders:
            inner = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=at)
            os.close(at)
            at = inner
        yield at, name
    finally:
        os.close(at)
