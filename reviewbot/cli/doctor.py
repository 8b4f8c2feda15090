"""`reviewbot doctor`: whether this machine can do all that a review asks of it."""

from __future__ import annotations

import os

from reviewbot.core.errors import EXIT_CLEAN, EXIT_INCOMPLETE

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from reviewbot.wiring.doctor import Checkup

EPILOG = """\
exit codes:
  0    gates that execute code run here, in the sandbox, and the model can be asked
  3    they are refused here, the model would fail, or a workflow trusts strangers: the
       remedy is named
"""


def declare(command: argparse.ArgumentParser) -> None:
    command.description = "Try the sandbox and the configured model, and say what is installed here."
    command.epilog = EPILOG
    command.set_defaults(run=_doctor)


def _doctor(_: argparse.Namespace) -> int:
    from reviewbot.hosts import output
    from reviewbot.wiring.doctor import examine

    found = examine(os.getcwd())
    output.show("".join(f"{line}\n" for line in _lines(found)))
    return EXIT_CLEAN if found.level.full and not found.faults else EXIT_INCOMPLETE


def _lines(found: Checkup) -> Iterator[str]:
    from reviewbot.core.visible import visible

    full, why, remedy = found.level
    rows = {"sandbox": "full: gates that execute code run in it"}
    if not full:
        rows = {"sandbox": f"none: {why}; gates that execute code are refused", "remedy": remedy}
    rows |= found.rows
    width = max(map(len, rows))
    yield from (f"{name:<{width}}  {visible(text)}" for name, text in rows.items())
