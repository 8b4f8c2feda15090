"""Every error that reviewbot raises on purpose, and the exit code it ends with.

ReviewbotError (2)
├── UsageError (2)          wrong use: no repository, unknown revision, unreadable patch
├── ConfigError (2)         a configuration or a skill named on the command line is wrong
├── AssetError (2)          this installation lacks its skills/ or prompts/
├── StoreDown (2)           the App's database cannot be asked now
├── Occupied (2)            another living process works under this worker's name
└── OutputError (3)         the review was made and could not be delivered

Rooms have their own below these: hosts/github Refused and Unfetched (UsageError), jobs Diverged.

A message is one line that names the place and the next step. The front doors (cli/) turn
these into `reviewbot: error: …` and the exit code; nothing else catches them.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own costs 5 ms of `--help`
if TYPE_CHECKING:
    from collections.abc import Iterable

EXIT_CLEAN = 0
EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_INCOMPLETE = 3
EXIT_INTERRUPTED = 130


class ReviewbotError(Exception):
    exit_code = EXIT_USAGE

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(f"{message}; {remedy}" if remedy else message)


class UsageError(ReviewbotError):
    pass


class ConfigError(ReviewbotError):
    pass


class AssetError(ReviewbotError):
    pass


class StoreDown(ReviewbotError):
    """Gone, full, locked: the same call may do later."""


class Occupied(ReviewbotError):
    pass


class OutputError(ReviewbotError):
    exit_code = EXIT_INCOMPLETE


def nearest(name: str, known: Iterable[str]) -> str:
    """The remedy for a name that is not known: the one that was probably meant, or all there are."""
    import difflib

    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    return f"did you mean {near[0]}?" if near else f"known here: {', '.join(names)}"
