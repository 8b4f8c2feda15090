"""What the commands share that review: the options of a review and of its report, and its delivery."""

from __future__ import annotations

import os

from reviewbot.cli.parser import FORMAT_HELP, FORMATS
from reviewbot.core.errors import OutputError

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse

    from reviewbot.core.options import DiffOptions
    from reviewbot.core.ports import Progress
    from reviewbot.core.types import Review

FAIL_ON = ("blocker", "warning", "note", "never")


def review_options(command: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """How it is reviewed."""
    review = command.add_argument_group("the review")
    review.add_argument(
        "--skill",
        metavar="PATH|NAME",
        action="append",
        default=[],
        help="review by this skill only: a SKILL.md, its folder, or a name (repeatable)",
    )
    review.add_argument("--no-model", action="store_true", help="ask no model, even where there is a key")
    review.add_argument(
        "--max-cost",
        metavar="USD",
        type=_dollars,
        help="what the model may cost at most; beyond it the review is incomplete (default: 1.00)",
    )
    review.add_argument(
        "--thorough",
        action="store_true",
        help="read the change three times for the classes of the two top ranks",
    )
    return review


def options_of(arguments: argparse.Namespace, progress: Progress) -> DiffOptions:
    """What `review_options` has declared; the change is the caller's."""
    from reviewbot.core.options import DiffOptions

    return DiffOptions(
        cwd=os.getcwd(),
        skills=tuple(arguments.skill),
        model=not arguments.no_model,
        max_usd=arguments.max_cost,
        thorough=arguments.thorough,
        progress=progress,
    )


def report_options(command: argparse.ArgumentParser) -> None:
    """What becomes of the review."""
    report = command.add_argument_group("the report")
    report.add_argument("--format", metavar="NAME", choices=FORMATS, default="text", help=FORMAT_HELP)
    report.add_argument("--output", metavar="FILE", help="write the report there, whole or not at all")
    report.add_argument(
        "--fail-on",
        choices=FAIL_ON,
        default="warning",
        help="exit with 1 from this severity on (default: warning)",
    )
    report.add_argument("--quiet", action="store_true", help="nothing on stderr but errors")


def _dollars(text: str) -> float:
    from argparse import ArgumentTypeError

    try:
        amount = float(text.removeprefix("$"))
    except ValueError:
        amount = -1.0
    if not 0 <= amount <= 1000:  # nan is neither
        raise ArgumentTypeError(f"{text!r} is no amount of dollars between 0 and 1000")
    return amount


def deliver(review: Review, format: str, path: str | None, quiet: bool) -> None:
    from reviewbot.assets import look
    from reviewbot.core.report import FORMATS, Page
    from reviewbot.core.report.words import verdict
    from reviewbot.hosts import output, terminal

    if not path or path == "-":
        output.show(FORMATS[format](review, terminal.page(os.getcwd())))
        return
    report = FORMATS[format](review, Page(look=look))
    try:
        output.save(report, path)
    except OutputError as error:
        output.show(report)
        raise OutputError(f"{error}", "the report was printed instead") from error
    if not quiet:
        output.say(f"{verdict(review)}; the report is in {path}")
