"""Small files that are kept between runs. Without them, or with foreign ones, work is done anew: no more."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable

LARGEST = 64 * 1024  # bytes


def read(name: str) -> bytes | None:
    """What was kept under the name; None where nothing is, or where somebody else could have put it."""
    folder = home()
    if folder is None:
        return None
    try:
        if not _is_ours(folder, stat.S_ISDIR):
            return None
        place = os.path.join(folder, name)
        descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            return file.read(LARGEST) if _is_ours(descriptor, stat.S_ISREG) else None
    except OSError:
        return None


def write(name: str, content: bytes) -> None:
    """Keep the content under the name, in one step; where it cannot be kept it is not."""
    from tempfile import NamedTemporaryFile  # 14 ms

    folder = home()
    if folder is None:
        return
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        if not _is_ours(folder, stat.S_ISDIR):
            return
        with NamedTemporaryFile(dir=folder, prefix=f".{name}-", delete=False) as file:
            try:
                file.write(content)
                file.flush()
                os.replace(file.name, os.path.join(folder, name))
            except OSError:
                os.unlink(file.name)
    except OSError:
        return


def home() -> str | None:
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


def _is_ours(place: str | int, is_kind: Callable[[int], bool]) -> bool:
    """Whether nobody else can write there. A folder that is writable for others (/tmp) never counts."""
    found = os.stat(place, follow_symlinks=False) if isinstance(place, str) else os.fstat(place)
    return is_kind(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o022
