"""One run at a time that posts on a pull request: two would each read that nothing is said yet."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from time import monotonic, sleep

from reviewbot.core.errors import UsageError
from reviewbot.core.ports import Progress

WAIT = 1800.0  # seconds for the run before


@contextmanager
def turn(folder: str | None, server: str, pull: str, progress: Progress) -> Iterator[None]:
    """Nobody else on this machine is between begin and end of this for the same pull request (OWNER/REPO#7).

    Without a folder, or where no file can be locked in it, nobody is kept out. Raises UsageError where the
    run before does not end.
    """
    lock = _opened(folder, f"{server} {pull}".lower()) if folder else None
    if lock is None:
        yield
        return
    try:
        _wait(lock, pull, progress)
        yield
    finally:
        os.close(lock)


def _opened(folder: str, name: str) -> int | None:
    # Files that are locked are never taken away, so their number is bounded: two names may share one.
    place = os.path.join(folder, sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:3])
    try:
        return os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:
        return None


def _wait(lock: int, pull: str, progress: Progress) -> None:
    deadline = monotonic() + WAIT
    while not _taken(lock):
        if monotonic() > deadline:
            why = f"another run has been at work on {pull} for {WAIT:g} s"
            raise UsageError(why, "run this again when it has ended")
        progress("another run's review")
        sleep(0.05)


def _taken(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
