"""`reviewbot redeliver`: what the server missed while it was down."""

from __future__ import annotations

import re

from reviewbot.core.errors import EXIT_CLEAN, EXIT_INCOMPLETE, UsageError

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse

    from reviewbot.hosts.github.deliveries import Missed

EPILOG = """\
GitHub sends nothing again by itself, and forgets a delivery after three days. A
delivery that was taken by a later attempt is left alone, and one that comes
twice is known to the server: to run this again does no harm.

environment:
  REVIEWBOT_APP_ID, REVIEWBOT_PRIVATE_KEY   who asks
  GITHUB_API_URL                            default: https://api.github.com

exit codes:
  0    all that was missed has been sent again, or nothing was missed
  2    wrong use or configuration
  3    GitHub refused to send some of it again, or lists some that cannot be read
"""
_UNITS = {"m": 60, "h": 3_600, "d": 86_400}
_SPAN = re.compile(r"([1-9][0-9]{0,5})([mhd])")


def declare(command: argparse.ArgumentParser) -> None:
    command.description = "Have GitHub send again what the server did not take."
    command.epilog = EPILOG
    command.set_defaults(run=_redeliver)
    command.add_argument("--since", metavar="6h", required=True, help="how far back: 30m, 6h, 3d")
    command.add_argument("--dry-run", action="store_true", help="only list what was missed")


def _redeliver(arguments: argparse.Namespace) -> int:
    import time

    from reviewbot.hosts import output
    from reviewbot.hosts.github.app import own_app
    from reviewbot.hosts.github.deliveries import missed, send_again

    seconds = span(arguments.since)
    client = own_app().client()
    odd: list[str] = []
    rows = missed(client, time.time() - seconds, odd.append)
    for words in odd:
        output.say(f"no delivery, left out: {words}")
    if arguments.dry_run:
        for row in rows:
            output.show(f"{_line(row)}\n")
        output.say(f"{_count(len(rows))} missed; nothing was sent again")
        return EXIT_INCOMPLETE if odd else EXIT_CLEAN
    healed = send_again(client, rows, lambda row: output.show(f"{_line(row)}\n"))
    for refused, why in healed.refused:
        output.say(f"{refused.guid} is not sent again: {why}")
    output.say(f"{_count(len(healed.sent))} sent again")
    return EXIT_INCOMPLETE if odd or healed.refused else EXIT_CLEAN


def span(text: str) -> int:
    """Seconds of `30m`, `6h` or `3d`. Raises UsageError."""
    found = _SPAN.fullmatch(text.strip())
    if not found:
        raise UsageError(f"--since {text!r} is no span of time", "write 30m, 6h or 3d")
    return int(found[1]) * _UNITS[found[2]]


def _line(row: Missed) -> str:
    import time

    at = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(row.at))
    event = f"{row.event}.{row.action}" if row.action else row.event
    return f"{at}  {row.guid}  {event}  {row.status or 'no answer'}"


def _count(number: int) -> str:
    return f"{number} delivery" if number == 1 else f"{number} deliveries"
