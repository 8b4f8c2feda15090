"""`reviewbot pr`: the review of a pull request on GitHub."""

from __future__ import annotations

import re

from reviewbot.cli.parser import EXIT_CODES
from reviewbot.cli.reviewing import deliver, options_of, report_options, review_options
from reviewbot.core.errors import UsageError

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse

    from reviewbot.wiring.pull import Outcome

EXAMPLES = """\
examples:
  reviewbot pr acme/launcher#7               review it, print the report, post nothing
  reviewbot pr acme/launcher#7 --post        and say it on the pull request
  reviewbot pr acme/launcher#7 --dry-run     print each request that --post would send

environment:
  GITHUB_TOKEN        needs contents: read, pull-requests: write, issues: write, and
                      checks: write for a check run, which Apps only can have
  GITHUB_API_URL      default: https://api.github.com
  GITHUB_SERVER_URL   default: https://github.com

"""
_REPO = r"([A-Za-z0-9_-]+/(?!\.{1,2}[#/])[A-Za-z0-9_.-]+)"
_NAMED = re.compile(rf"{_REPO}#([0-9]{{1,9}})")
_ADDRESS = re.compile(rf"https?://([^/\s]+)/{_REPO}/pull/([0-9]{{1,9}})/?")


def declare(command: argparse.ArgumentParser) -> None:
    command.description = "Review a pull request: what its head adds to the merge base that GitHub shows."
    command.epilog = EXAMPLES + EXIT_CODES
    command.set_defaults(run=_pr)
    command.add_argument("pull", metavar="OWNER/REPO#N", help="the pull request, or its address")
    kind = command.add_mutually_exclusive_group()
    kind.add_argument("--post", action="store_true", help="post the review, or bring the last one up to date")
    kind.add_argument("--dry-run", action="store_true", help="print as JSON what --post would send")
    command.add_argument(
        "--full", action="store_true", help="post also where nothing has changed since the last review"
    )
    review_options(command)
    report_options(command)


def _pr(arguments: argparse.Namespace) -> int:
    from reviewbot.core.verdict import exit_code
    from reviewbot.hosts import output, terminal
    from reviewbot.hosts.signals import terminable
    from reviewbot.wiring.pull import Wanted, here, run_pull

    repo, number = pull_named(arguments.pull)
    if arguments.output:
        output.check_place(arguments.output)
    with terminal.progress(quiet=arguments.quiet) as progress, terminable():
        send = "post" if arguments.post else "dry" if arguments.dry_run else ""
        hands = here(options_of(arguments, progress), send)
        outcome = run_pull(Wanted(repo, number, arguments.full), hands)
    if outcome.review is None:
        raise UsageError(outcome.said)
    if outcome.said and not arguments.quiet:
        output.say(outcome.said)
    if arguments.dry_run:
        show_requests(outcome, arguments.output)
    else:
        deliver(outcome.review, arguments.format, arguments.output, arguments.quiet)
    return exit_code(outcome.review, arguments.fail_on)


def pull_named(text: str) -> tuple[str, int]:
    """`acme/launcher#7`, or the address of its page: owner/name and number. Raises UsageError, also where the
    address is of another server than the one that is asked."""
    if named := _NAMED.fullmatch(text.strip()):
        return named[1], int(named[2])
    if found := _ADDRESS.fullmatch(text.strip()):
        _check_server(found[1])
        return found[2], int(found[3])
    raise UsageError(f"{text!r} names no pull request", "write OWNER/REPO#N, for example acme/launcher#7")


def _check_server(host: str) -> None:
    from urllib.parse import urlsplit

    from reviewbot.hosts.fetch import server

    asked = urlsplit(server()).netloc
    if host.lower() != asked.lower():
        raise UsageError(
            f"the pull request is on {host}, and {asked} is asked",
            "set GITHUB_SERVER_URL and GITHUB_API_URL to those of its server",
        )


def show_requests(outcome: Outcome, path: str | None) -> None:
    from reviewbot.core.report.document import written
    from reviewbot.hosts import output
    from reviewbot.hosts.github.sink import SCHEMA

    document = written(outcome.requests or {"schema": SCHEMA, "requests": []})
    if path and path != "-":
        output.save(document, path)
    else:
        output.show(document)
