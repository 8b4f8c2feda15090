"""What the parsers of all commands share: one line for wrong use, help of 80 columns."""

from __future__ import annotations

import argparse

from reviewbot.core.errors import UsageError

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    from typing import Any, NoReturn

# The keys of core.report.FORMATS, which is dear to import.
FORMATS = ("text", "markdown", "json", "sarif", "rdjson", "annotations", "html")
FORMAT_HELP = f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]} (default: text)"
EXIT_CODES = """\
exit codes:
  0    clean, or nothing at or above --fail-on
  1    findings at or above --fail-on
  2    wrong use or configuration
  3    incomplete: something planned was not done, or the report got lost
  130  interrupted
"""


class Help(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=80)  # to ask for the width imports shutil


class Parser(argparse.ArgumentParser):
    """Raises wrong use as UsageError, for one line like every other error."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=Help, allow_abbrev=False, **settings)
        self.set_defaults(prog=self.prog)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, f"see {self.prog} --help")
