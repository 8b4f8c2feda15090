"""What a review finds on this machine."""

from __future__ import annotations

import os
import platform
import sys
from typing import NamedTuple

from reviewbot import __version__
from reviewbot.gates import state
from reviewbot.gates.sandbox import Level, level
from reviewbot.gates.versions import versions


class Checkup(NamedTuple):
    """`level` says whether code of strangers may run here; `rows` are names and what is there, for people."""

    level: Level
    rows: dict[str, str]


def examine() -> Checkup:
    found = level()
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    home = state.home()
    kept = home or "nowhere: there is no home; set REVIEWBOT_STATE_DIR"
    rows = {
        "reviewbot": f"{__version__} ({here})",
        "Python": f"{platform.python_version()} ({sys.executable})",
        **versions(),
        "state": kept,
    }
    return Checkup(found, rows)
