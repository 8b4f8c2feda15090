"""Every error that reviewbot raises on purpose, and the exit code it ends with.

ReviewbotError (2)
├── UsageError (2)          wrong use: no repository, unknown revision, unreadable patch
├── ConfigError (2)         a configuration or a skill named on the command line is wrong
├── AssetError (2)          this installation lacks its skills/ or prompts/
└── OutputError (3)         the review was made and could not be delivered

A message is one line that names the place and the next step. The front doors (cli.py) turn
these into `reviewbot: error: …` and the exit code; nothing else catches them.
"""

from __future__ import annotations

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


class OutputError(ReviewbotError):
    exit_code = EXIT_INCOMPLETE
