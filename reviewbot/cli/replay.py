"""`reviewbot replay`: what an event of GitHub's webhooks asks for."""

from __future__ import annotations

from reviewbot.cli.parser import EXIT_CODES
from reviewbot.cli.reviewing import FAIL_ON, options_of, review_options
from reviewbot.core.errors import EXIT_CLEAN, UsageError

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse

EXAMPLES = """\
examples:
  reviewbot replay "$GITHUB_EVENT_PATH" --event "$GITHUB_EVENT_NAME"
  reviewbot replay delivery.json --event issue_comment --delivery 72d3162e-…
  reviewbot replay delivery.json --dry-run

It obeys what the App would: pull requests that are opened, pushed to or made
ready, commands in comments (`@reviewbot help` lists them), and the buttons of
the check run. An event that asks for nothing is said, and ends with 0.

"""
LARGEST = 25_000_000  # bytes: GitHub delivers no more


def declare(command: argparse.ArgumentParser) -> None:
    command.description = "Do what one event asks for. GITHUB_TOKEN as for `reviewbot pr`."
    command.epilog = EXAMPLES + EXIT_CODES
    command.set_defaults(run=_replay)
    command.add_argument("payload", metavar="EVENT.json", help="the body of the delivery; - reads stdin")
    command.add_argument(
        "--event", metavar="NAME", default="", help="X-GitHub-Event (default: the keys tell)"
    )
    command.add_argument(
        "--delivery", metavar="ID", default="", help="X-GitHub-Delivery: one that was handled is not again"
    )
    command.add_argument("--dry-run", action="store_true", help="print as JSON what would be sent")
    review_options(command)
    command.add_argument("--fail-on", choices=FAIL_ON, default="never", help="default: never")
    command.add_argument("--quiet", action="store_true", help="nothing on stderr but errors")


def _replay(arguments: argparse.Namespace) -> int:
    from reviewbot.cli.pr import show_requests
    from reviewbot.core.report.words import verdict
    from reviewbot.core.verdict import NEVER, exit_code
    from reviewbot.hosts import output, terminal
    from reviewbot.hosts.signals import terminable
    from reviewbot.wiring.replay import Replay, run_replay

    payload = output.read_input(arguments.payload, "the event", LARGEST)
    if not payload.strip():
        raise UsageError(f"{arguments.payload} is empty", "give the body of a delivery")
    with terminal.progress(quiet=arguments.quiet) as progress, terminable():
        options = options_of(arguments, progress)
        asked = Replay(
            payload,
            arguments.payload,
            options,
            arguments.event,
            arguments.delivery,
            send="dry" if arguments.dry_run else "post",
            report=arguments.fail_on != NEVER,
        )
        outcome = run_replay(asked)
    if not arguments.quiet:
        about = f"{verdict(outcome.review)}: " if outcome.review else ""
        output.say(f"{about}{outcome.said}")
    if arguments.dry_run:
        show_requests(outcome, None)
    return exit_code(outcome.review, arguments.fail_on) if outcome.review else EXIT_CLEAN
