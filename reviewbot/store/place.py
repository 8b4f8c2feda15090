"""Where a SQLite database lies: a file that only its user can read."""

from __future__ import annotations

import os
import stat

from sqlalchemy import URL

from reviewbot.core.errors import ConfigError, StoreDown
from reviewbot.store.failures import REMEDY

NAME = "reviewbot.sqlite"
Mark = tuple[int, int]


def sqlite_url(folder: str) -> str:
    """The default database, in the state folder."""
    path = os.path.join(os.path.abspath(folder), NAME)
    return URL.create("sqlite", database=path).render_as_string(hide_password=False)


class Place:
    """The file at `path`, made 0600 (in a folder 0700) where there is none. Raises ConfigError for a
    folder in which others may write, StoreDown where the disk does not let us."""

    def __init__(self, path: str) -> None:
        self._path = path
        folder = os.path.dirname(path) or "."
        try:
            os.makedirs(folder, 0o700, exist_ok=True)
            if stat.S_IMODE(os.stat(folder).st_mode) & 0o022:
                raise ConfigError(
                    f"{folder}: others may write in the database's folder", f"chmod 700 {folder}"
                )
            _make(path)
        except OSError as error:
            raise StoreDown(f"{path}: {error.strerror}", REMEDY) from error
        self._mark = self._now()

    def moved(self) -> bool:
        """Whether another file lies there since the last call. SQLite would go on in the old one, which
        nobody sees any more. Raises StoreDown where there is none."""
        mark, self._mark = self._mark, self._now()
        return mark != self._mark

    def _now(self) -> Mark:
        try:
            found = os.stat(self._path)
        except OSError as error:
            raise StoreDown(f"{self._path}: {error.strerror}", "bring the file back, or restart") from error
        return found.st_dev, found.st_ino


def _make(path: str) -> None:
    # A file that is there is not opened: closing it would take this process's locks on it from SQLite.
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        os.chmod(path, 0o600)
