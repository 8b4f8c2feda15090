"""Clones that are kept between runs: where each lies, who uses it, and which go when they are too much.

Each has two locks beside it. Whoever reads it shares the first, so that it is not taken away; whoever
fetches holds the second alone.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import escape, glob
from time import monotonic, sleep
from urllib.parse import urlsplit

from reviewbot.core.errors import UsageError
from reviewbot.hosts.github.remote import BOUNDS, NotReached

MOST = 5_000_000_000  # bytes of all clones
PACKS = 200  # of one clone: each fetch brings some, and git gets slower with each
WAIT = 2 * BOUNDS.seconds  # for somebody else's fetches
_LEAVING = ".leaving-"  # how a folder's name begins that is being deleted
_PART = re.compile(r"(?!\.+$)[A-Za-z0-9._-]+")


class Kept:
    """A clone that is in use here: the bare repository at `place`, which may not be made yet."""

    def __init__(self, stem: str, using: int, closing: ExitStack) -> None:
        self.place = f"{stem}.git"
        self._stem = stem
        self._using = using
        self._closing = closing

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else fetches into it meanwhile. What a fetch that was killed left there is taken away.
        Raises NotReached where another one does not end."""
        with ExitStack() as closing:
            try:
                lock = closing.enter_context(_opened(f"{self._stem}.fetching"))
                _wait(lock, fcntl.LOCK_EX)
                _clear(self.place)
                self._tidy()
            except OSError as error:
                raise _unkept(error) from error
            yield

    def discard(self) -> None:
        """Take it away, to be made anew. While others read it they keep it, and here another one is used
        that does not last."""
        if _try(self._using, fcntl.LOCK_EX):
            shutil.rmtree(self.place, ignore_errors=True)
            fcntl.flock(self._using, fcntl.LOCK_SH)
            return
        fcntl.flock(self._using, fcntl.LOCK_SH)
        folder, name = os.path.split(self._stem)
        stem = tempfile.mkdtemp(".git", f"{name}~", folder).removesuffix(".git")
        self._using = self._closing.enter_context(_opened(f"{stem}.using"))
        fcntl.flock(self._using, fcntl.LOCK_SH)
        self._closing.callback(_forget, stem)
        self._stem, self.place = stem, f"{stem}.git"

    def is_worn(self) -> bool:
        """Whether it has so many packs that a new one is faster."""
        return len([name for name in self._packed() if name.endswith(".pack")]) > PACKS

    def _tidy(self) -> None:
        with suppress(FileNotFoundError, NotADirectoryError):
            os.unlink(os.path.join(self.place, "shallow.lock"))
        for name in self._packed():
            if name.startswith("tmp_"):
                os.unlink(os.path.join(self.place, "objects", "pack", name))

    def _packed(self) -> list[str]:
        try:
            return os.listdir(os.path.join(self.place, "objects", "pack"))
        except (FileNotFoundError, NotADirectoryError):
            return []


@contextmanager
def kept(folder: str, url: str, most: int = MOST) -> Iterator[Kept]:
    """The clone below `folder` of the repository at `url`, for as long as the block lasts. At its end the
    clones that were not used for longest go, until all have `most` bytes at most.

    Raises NotReached where it cannot be kept there.
    """
    stem = _stem(folder, url)
    try:
        with ExitStack() as closing:
            try:
                using = _shared(folder, stem, closing)
                os.utime(using)
            except OSError as error:
                raise _unkept(error) from error
            yield Kept(stem, using, closing)
    finally:
        _shrink(folder, most)


def sweep(folder: str, known: Collection[str]) -> int:
    """Take away all clones but those of the `known` repositories (owner/name). How many are in use, and so
    are still there."""
    for leaving in glob(os.path.join(escape(folder), f"{_LEAVING}*")):  # of one that was killed here
        shutil.rmtree(leaving, ignore_errors=True)
    names = {name.lower() for name in known}
    stems = {os.path.splitext(place)[0] for place in glob(os.path.join(escape(folder), "*", "*", "*.*"))}
    gone = [stem for stem in sorted(stems) if _repo(stem) not in names]
    return sum(not _taken_away(folder, stem) for stem in gone)


def _repo(stem: str) -> str:
    return "/".join(stem.split(os.sep)[-2:]).partition("~")[0].lower()


def _taken_away(folder: str, stem: str) -> bool:
    """False: it is in use. Renamed first: to delete it takes long, and who comes next makes a new one."""
    with suppress(OSError), _opened(f"{stem}.using") as using:
        if not _try(using, fcntl.LOCK_EX):
            return False
        leaving = tempfile.mkdtemp("", _LEAVING, folder)
        with suppress(FileNotFoundError):
            os.rename(f"{stem}.git", os.path.join(leaving, "git"))
        _forget(stem)
        with suppress(OSError):  # another one of that owner
            os.rmdir(os.path.dirname(stem))
        shutil.rmtree(leaving, ignore_errors=True)
    return True


def _shared(folder: str, stem: str, closing: ExitStack) -> int:
    """The first lock, shared. One that was taken away while we waited keeps nobody out any more."""
    while True:
        _make(folder, os.path.dirname(stem))
        using = closing.enter_context(_opened(f"{stem}.using"))
        _wait(using, fcntl.LOCK_SH)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(using), os.lstat(f"{stem}.using")):
                return using


def _unkept(error: OSError) -> NotReached:
    return NotReached(f"no clone can be kept in the state folder: {error.strerror}")


def _clear(place: str) -> None:
    """Take away what is no folder: a link would be written through."""
    with suppress(FileNotFoundError):
        if not stat.S_ISDIR(os.lstat(place).st_mode):
            os.unlink(place)


def _stem(folder: str, url: str) -> str:
    parts = urlsplit(url)
    names = parts.path.removesuffix(".git").strip("/").split("/")
    if len(names) < 2 or not all(map(_PART.fullmatch, names)):
        raise UsageError(f"{url} is not the address of a repository", "write OWNER/REPO")
    host = re.sub(r"[^A-Za-z0-9.-]", "_", parts.netloc)
    return os.path.join(folder, host, *(name.lower() for name in names[-2:]))


def _make(folder: str, place: str) -> None:
    """The folders down to `place`, for nobody else to look into."""
    os.makedirs(folder, 0o700, exist_ok=True)
    for part in (os.path.dirname(place), place):
        _clear(part)
        os.makedirs(part, 0o700, exist_ok=True)


@contextmanager
def _opened(path: str) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _try(lock: int, how: int) -> bool:
    try:
        fcntl.flock(lock, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _wait(lock: int, how: int) -> None:
    deadline = monotonic() + WAIT
    while not _try(lock, how):
        if monotonic() > deadline:
            raise NotReached(f"another run has held the clone for {WAIT:g} s")
        sleep(0.05)


def _shrink(folder: str, most: int) -> None:
    """Another run may do the same at this moment, and one that reads a clone keeps it."""
    rows = sorted(_clones(folder), reverse=True)
    for _, size, stem in rows:
        most -= size
        if most < 0:
            with suppress(OSError), _opened(f"{stem}.using") as using:
                if _try(using, fcntl.LOCK_EX):
                    shutil.rmtree(f"{stem}.git", ignore_errors=True)


def _clones(folder: str) -> Iterator[tuple[int, int, str]]:
    """When each was last used, how many bytes it has, and its place without its suffix."""
    for place in glob(os.path.join(escape(folder), "*", "*", "*.git")):
        stem = place.removesuffix(".git")
        with suppress(FileNotFoundError):
            yield os.stat(f"{stem}.using").st_mtime_ns, _size(place), stem


def _size(place: str) -> int:
    size = 0
    for folder, _, names in os.walk(place):
        for name in names:
            with suppress(FileNotFoundError):
                size += os.lstat(os.path.join(folder, name)).st_size
    return size


def _forget(stem: str) -> None:
    shutil.rmtree(f"{stem}.git", ignore_errors=True)
    for lock in ("using", "fetching"):
        with suppress(FileNotFoundError):
            os.unlink(f"{stem}.{lock}")
