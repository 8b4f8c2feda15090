"""The `reviewbot` command: options in, an exit code out.

argparse, because importing click takes longer than `--help` may (100 ms). Whatever only one
command needs is imported where that command runs.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys

from reviewbot import __version__
from reviewbot.core.errors import (
    EXIT_INCOMPLETE,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    OutputError,
    ReviewbotError,
    UsageError,
)

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    from typing import NoReturn

    from reviewbot.core.types import Review

DESCRIPTION = """\
Review a change the way a hostile, careful colleague does: every finding quotes
the line, names the cost and offers a fix that was tried.
"""
BASE_HELP = """\
compare with this revision (default: the usual target branch; for --staged and
--worktree HEAD)
"""
FAIL_ON = ("blocker", "warning", "note", "never")
FORMATS = ("text", "markdown", "json")  # the keys of core.report.FORMATS, which is dear to import

EXIT_CODES = """\
exit codes:
  0    clean, or nothing at or above --fail-on
  1    findings at or above --fail-on
  2    wrong use or configuration
  3    incomplete: something planned was not done, or the report got lost
  130  interrupted
"""
DIFF_EXAMPLES = """\
examples:
  reviewbot diff origin/main              what this branch adds to origin/main
  reviewbot diff main --head feature      the same of another branch
  reviewbot diff --staged                 what `git commit` would take
  reviewbot diff --worktree               the work tree as it is
  git diff | reviewbot diff --patch -     a patch, its hunks only
  reviewbot diff main --skill review.md --format json --output review.json

"""
DEMO_EXAMPLES = """\
examples:
  reviewbot demo                          build, review, print, remove
  reviewbot demo --keep                   leave the repository to try things on
"""


def main() -> NoReturn:
    """The console script: ends the process with the exit code."""
    sys.exit(run(sys.argv[1:]))


def run(argv: list[str]) -> int:
    """Run one command; every way in which it can end becomes an exit code and at most one line."""
    gc.set_threshold(50_000)  # a start makes many objects and drops few: 30 of 500 ms
    try:
        code = _command(argv)
        _flush()
        return code
    except ReviewbotError as error:
        return _fail(f"error: {error}", error.exit_code)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"error: {where}{error.strerror or error}", EXIT_INCOMPLETE)
    except KeyboardInterrupt:
        return _fail("interrupted", EXIT_INTERRUPTED)
    except BaseException as error:  # a panic inside ast-grep is no Exception
        if os.environ.get("REVIEWBOT_TRACEBACK"):
            import traceback

            traceback.print_exc()
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        advice = "this is a bug in reviewbot; set REVIEWBOT_TRACEBACK=1 to see where"
        return _fail(f"internal error: {what}; {advice}", EXIT_INCOMPLETE)


def _command(argv: list[str]) -> int:
    parser = _parser()
    if not argv:
        parser.print_help(sys.stderr)
        return EXIT_USAGE
    try:
        arguments, unknown = parser.parse_known_args(argv)
    except SystemExit:  # --help and --version have been printed
        return 0
    if unknown:
        command = f"{parser.prog} {argv[0]}"
        raise UsageError(f"unrecognized arguments: {' '.join(unknown)}", f"see {command} --help")
    code: int = arguments.run(arguments)
    return code


def _flush() -> None:
    """Write what stdout still holds, while a failure can still be said."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError as error:
        from reviewbot.hosts.output import stdout_lost

        raise stdout_lost(error) from error


def _fail(message: str, code: int) -> int:
    from reviewbot.hosts.output import say

    say(message)
    return code


class _Help(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=80)  # to ask for the width imports shutil


class _Parser(argparse.ArgumentParser):
    """Raises wrong use as UsageError, for one line like every other error."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, f"see {self.prog} --help")


def _parser() -> _Parser:
    parser = _Parser(
        prog="reviewbot",
        description=DESCRIPTION,
        epilog=EXIT_CODES,
        formatter_class=_Help,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"reviewbot {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _declare_diff(
        commands.add_parser(
            "diff",
            help="review a change: commits, the index, the work tree or a patch",
            description="Review what the head adds to its merge base with BASE (three-dot).",
            epilog=DIFF_EXAMPLES + EXIT_CODES,
            formatter_class=_Help,
            allow_abbrev=False,
        )
    )
    _declare_demo(
        commands.add_parser(
            "demo",
            help="build a small repository with real defects and review it",
            description="Build a throw-away repository with a change in it, review that, print the report.",
            epilog=DEMO_EXAMPLES,
            formatter_class=_Help,
            allow_abbrev=False,
        )
    )
    return parser


def _declare_diff(diff: argparse.ArgumentParser) -> None:
    diff.set_defaults(run=_diff)
    change = diff.add_argument_group("the change")
    change.add_argument("base", metavar="BASE", nargs="?", help=BASE_HELP)
    kind = change.add_mutually_exclusive_group()
    kind.add_argument("--head", metavar="REF", help="review this revision (default: HEAD)")
    kind.add_argument("--staged", action="store_true", help="review the index")
    kind.add_argument("--worktree", action="store_true", help="review the work tree")
    kind.add_argument("--patch", metavar="FILE", help="review the text of `git diff`; - reads stdin")
    review = diff.add_argument_group("the review")
    review.add_argument(
        "--skill",
        metavar="PATH|NAME",
        action="append",
        default=[],
        help="review by this skill only: a SKILL.md, its folder, or a name (repeatable)",
    )
    review.add_argument("--no-model", action="store_true", help="ask no model (this version asks none)")
    report = diff.add_argument_group("the report")
    report.add_argument("--format", choices=FORMATS, default="text", help="default: text")
    report.add_argument("--output", metavar="FILE", help="write the report there, whole or not at all")
    report.add_argument(
        "--fail-on",
        choices=FAIL_ON,
        default="warning",
        help="exit with 1 from this severity on (default: warning)",
    )
    report.add_argument("--quiet", action="store_true", help="nothing on stderr but errors")


def _declare_demo(demo: argparse.ArgumentParser) -> None:
    demo.set_defaults(run=_demo)
    demo.add_argument("--keep", action="store_true", help="leave the repository and say where it is")
    demo.add_argument("--format", choices=FORMATS, default="text", help="default: text")


def _diff(arguments: argparse.Namespace) -> int:
    from reviewbot import wiring
    from reviewbot.core.options import DiffOptions
    from reviewbot.core.verdict import exit_code
    from reviewbot.hosts import output, terminal

    _end_by_signal()
    for name in ("base", "head", "patch", "output"):
        if getattr(arguments, name) == "":
            raise UsageError(f"{name.upper()} is empty", "an unset variable? name it, or leave it out")
    if arguments.patch and arguments.base:
        raise UsageError("BASE has no meaning with --patch: a patch brings its own", "drop one of them")
    if arguments.output:
        output.check_place(arguments.output)
    with terminal.progress(quiet=arguments.quiet) as progress:
        options = DiffOptions(
            cwd=os.getcwd(),
            base=arguments.base,
            head=arguments.head or "HEAD",
            mode="staged" if arguments.staged else "worktree" if arguments.worktree else "commits",
            patch=output.read_patch(arguments.patch) if arguments.patch else None,
            patch_name=arguments.patch or "",
            skills=tuple(arguments.skill),
            progress=progress,
        )
        review = wiring.run_diff(options)
    _deliver(review, arguments.format, arguments.output, arguments.quiet)
    return exit_code(review, arguments.fail_on)


def _end_by_signal() -> None:
    """End as by Ctrl-C where CI cancels a job: no child and no temporary folder is left."""
    import signal

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)


def _deliver(review: Review, format: str, path: str | None, quiet: bool) -> None:
    from reviewbot.core.report import FORMATS, Page
    from reviewbot.core.report.words import verdict
    from reviewbot.hosts import output, terminal

    if not path or path == "-":
        output.show(FORMATS[format](review, terminal.page(os.getcwd())))
        return
    report = FORMATS[format](review, Page())
    try:
        output.save(report, path)
    except OutputError as error:
        output.show(report)
        raise OutputError(f"{error}", "the report was printed instead") from error
    if not quiet:
        output.say(f"{verdict(review)}; the report is in {path}")


def _demo(arguments: argparse.Namespace) -> int:
    from reviewbot import wiring
    from reviewbot.core.options import DiffOptions
    from reviewbot.core.report import FORMATS
    from reviewbot.hosts import demo, output, terminal

    _end_by_signal()
    with demo.repository(keep=arguments.keep) as folder:
        with terminal.progress() as progress:
            review = wiring.run_diff(DiffOptions(cwd=folder, base=demo.BASE, progress=progress))
        output.show(FORMATS[arguments.format](review, terminal.page(folder)))
    command = output.own_command()
    if arguments.keep:
        output.say(f"the demonstration is in {folder}; try: cd {folder} && {command} diff {demo.BASE}")
    output.say(f"try it on your own repository: {command} diff origin/main")
    return 0
