"""The Python of a job."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

_SYSTEM = ("/usr/local/bin/python3", "/usr/bin/python3")


class Python(NamedTuple):
    program: str
    binds: tuple[str, ...] = ()  # paths of this machine that a job must bind for it
    path: tuple[str, ...] = ()  # folders in which a job finds it before the system's


def interpreter(wanted: str = "") -> Python:
    """The Python at the path `wanted`.

    Without one the system's, which everybody may read: our own can lie in the home of root, where the
    sandbox's user may not look. Else ours, without the packages of its environment.
    """
    if wanted:
        homes = (os.path.dirname(os.path.dirname(place)) for place in (wanted, os.path.realpath(wanted)))
        own = dict.fromkeys(home for home in homes if home not in ("/", "/usr", "/usr/local"))
        return Python(wanted, tuple(own), (os.path.dirname(wanted),))
    for place in _SYSTEM:
        if os.access(place, os.X_OK):
            return Python(place)
    ours = os.path.realpath(sys.executable)
    return Python(ours, (sys.base_prefix,), (os.path.dirname(ours),))
