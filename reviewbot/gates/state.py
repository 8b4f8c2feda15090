"""Small files that are kept between runs. Without them, or with foreign ones, work is done anew: no more."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress

LARGEST = 64 * 1024  # bytes


def read(name: str, most: int = LARGEST) -> bytes | None:
    """What was kept under the name, cut to `most` bytes; None where nothing is, or where somebody else
    could have put it. A name may have folders in front."""
    top = home()
    if top is None:
        return None
    try:
        if not all(_is_ours(folder, stat.S_ISDIR) for folder in _folders(top, name)):
            return None
        place = os.path.join(top, name)
        descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            return file.read(most) if _is_ours(descriptor, stat.S_ISREG) else None
    except OSError:
        return None


def write(name: str, content: bytes) -> None:
    """Keep the content under the name, in one step; where it cannot be kept it is not."""
    from tempfile import NamedTemporaryFile  # 14 ms

    before, _, last = name.rpartition("/")
    own = folder(before)
    if own is None:
        return
    try:
        with NamedTemporaryFile(dir=own, prefix=f".{last}-", delete=False) as file:
            try:
                file.write(content)
                file.flush()
                os.replace(file.name, os.path.join(own, last))
            except OSError:
                os.unlink(file.name)
    except OSError:
        return


def folder(name: str = "") -> str | None:
    """The place of a folder below the home, or of the home, made where it is not there; None where it
    cannot be made, or somebody else could write in it."""
    top = home()
    if top is None:
        return None
    place = top
    try:
        for place in _folders(top, f"{name}/" if name else ""):
            os.makedirs(place, 0o700, exist_ok=True)
            if not _is_ours(place, stat.S_ISDIR):
                return None
    except OSError:
        return None
    return place


def used(name: str) -> None:
    """Note that what is kept under the name was of use: `shrink` takes others first."""
    top = home()
    if top is not None:
        with suppress(OSError):
            os.utime(os.path.join(top, name))


def shrink(folder: str, entries: int, size: int) -> None:
    """Leave at most so many files in a folder, of so many bytes together: the last used ones.

    Another process may do the same at this moment.
    """
    top = home()
    if top is None:
        return
    with suppress(OSError), os.scandir(os.path.join(top, folder)) as found:
        rows = sorted(map(_age, found), reverse=True)
        for count, (_, own, path) in enumerate(rows, 1):
            size -= own
            if count > entries or size < 0:
                with suppress(FileNotFoundError):
                    os.unlink(path)


def _age(entry: os.DirEntry[str]) -> tuple[int, int, str]:
    """When a file was last used, its size, and its place."""
    found = entry.stat(follow_symlinks=False)
    return found.st_mtime_ns, found.st_size, entry.path


def home() -> str | None:
    """Where it is kept: in _given_home(), or where others can write in that (umask 002), in a folder of
    ours below it."""
    given = _given_home()
    try:
        mode = os.stat(given, follow_symlinks=False).st_mode if given else 0
    except OSError:
        mode = 0
    shared = stat.S_ISDIR(mode) and mode & 0o022
    return os.path.join(given, f"of-{os.geteuid()}") if given and shared else given


def _given_home() -> str | None:
    """REVIEWBOT_STATE_DIR, else the platform's folder for what can be made again."""
    if own := os.environ.get("REVIEWBOT_STATE_DIR"):
        return os.path.abspath(own)
    if sys.platform == "darwin":
        around = os.path.expanduser("~/Library/Caches")
    else:
        around = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(around):  # the standard wants a relative one ignored
            around = os.path.expanduser("~/.cache")
    return os.path.join(around, "reviewbot") if os.path.isabs(around) else None


def _folders(top: str, name: str) -> list[str]:
    """The folders that a name is in, from the top."""
    return [os.path.join(top, *name.split("/")[:depth]) for depth in range(name.count("/") + 1)]


def _is_ours(place: str | int, is_kind: Callable[[int], bool]) -> bool:
    """Whether nobody else can write there. A folder that is writable for others (/tmp) never counts."""
    found = os.stat(place, follow_symlinks=False) if isinstance(place, str) else os.fstat(place)
    return is_kind(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o022
