"""Who of this state folder has worked under a name: one that was killed leaves its lock, and cannot lie."""

from __future__ import annotations

import fcntl
import os
import time
from hashlib import sha256

from reviewbot.core.errors import UsageError


class Tenure:
    """The lock is held until the process ends."""

    def __init__(self, folder: str, name: str, patience: float = 0.0) -> None:
        """patience: seconds that somebody who holds it is waited for. Raises UsageError where nothing can be
        written in `folder`."""
        path = os.path.join(folder, f"tenure-{sha256(name.encode()).hexdigest()[:16]}")
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}", "make room in it") from error
        ends = time.monotonic() + patience
        while not (held := self._taken()) and time.monotonic() < ends:
            time.sleep(0.05)
        self._held = held

    def ended(self, mark: str) -> tuple[str, ...]:
        """The marks of all who held it before and were not followed; none where somebody holds it. `mark`
        is ours from now on, beside theirs."""
        if not self._held:
            return ()
        marks = tuple(os.pread(self._file, 4_096, 0).decode("ascii", "replace").split())
        self._write(*marks[-8:], mark)
        return marks

    def keep(self, mark: str) -> None:
        """We have followed them."""
        if self._held:
            self._write(mark)

    def _taken(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _write(self, *marks: str) -> None:
        content = "".join(f"{mark}\n" for mark in marks).encode()
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, content, 0)
