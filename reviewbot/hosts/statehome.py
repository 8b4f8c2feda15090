"""The folder of what must last: the App's key, the default database. What can be made again is elsewhere."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping

from reviewbot.core.errors import UsageError


def state_home(environment: Mapping[str, str] = os.environ) -> str:
    """REVIEWBOT_STATE_DIR, else the platform's folder of a user's state; made with mode 0700 where it is
    not there. Raises UsageError where it cannot be made, or others could write in it."""
    place = os.path.abspath(environment.get("REVIEWBOT_STATE_DIR") or _platform(environment))
    try:
        os.makedirs(place, 0o700, exist_ok=True)
        found = os.stat(place)
    except OSError as error:
        raise UsageError(
            f"the state folder {place}: {error.strerror}", "set REVIEWBOT_STATE_DIR to a folder of yours"
        ) from error
    if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o022:
        raise UsageError(f"the state folder {place}: others may write in it", f"chmod 700 {place}")
    return place


def keep_secret(folder: str, name: str, text: str) -> str:
    """A new file that nobody else can read; its path. Raises UsageError where it is there already."""
    path = os.path.join(folder, name)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}", "move it away, or make room") from error
    return path


def _platform(environment: Mapping[str, str]) -> str:
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support/reviewbot")
    around = environment.get("XDG_STATE_HOME", "")
    if not os.path.isabs(around):  # the standard wants a relative one ignored
        around = os.path.expanduser("~/.local/state")
    if not os.path.isabs(around):
        raise UsageError("there is no home for the state folder", "set REVIEWBOT_STATE_DIR")
    return os.path.join(around, "reviewbot")
