"""The Python of a job that names none."""

from __future__ import annotations

import os
import sys

_SYSTEM = ("/usr/local/bin/python3", "/usr/bin/python3")


def interpreter() -> tuple[str, tuple[str, ...]]:
    """A Python, and the paths that a job must bind for it.

    The system's, which everybody may read: our own can lie in the home of root, where the sandbox's user
    may not look. Else ours, without the packages of its environment.
    """
    for place in _SYSTEM:
        if os.access(place, os.X_OK):
            return place, ()
    return os.path.realpath(sys.executable), (sys.base_prefix,)
