"""The `reviewbot` command: options in, an exit code out.

argparse, because importing click takes longer than `--help` may (100 ms). A command is declared in a
module of its own, which is imported when that command is asked for.
"""

from __future__ import annotations

import gc
import os
import sys

from reviewbot import __version__
from reviewbot.cli.parser import EXIT_CODES, Parser
from reviewbot.core.errors import (
    EXIT_INCOMPLETE,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    ReviewbotError,
    UsageError,
)

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    from typing import NoReturn

DESCRIPTION = """\
Review a change the way a hostile, careful colleague does: every finding quotes
the line, names the cost and offers a fix that was tried.
"""
COMMANDS = {
    "init": "look at this repository, and write a configuration, a skill and a workflow",
    "diff": "review a change: commits, the index, the work tree or a patch",
    "audit": "review a whole tree, against a baseline of what is known",
    "pr": "review a pull request on GitHub, and say there what was found",
    "action": "review as the step of a GitHub Action",
    "replay": "do what an event of GitHub's webhooks asks for",
    "serve": "work as a GitHub App: review every pull request, and show what was done",
    "app": "make the GitHub App that `serve` works as",
    "redeliver": "have GitHub send again what the server missed",
    "skills": "list, check and show the skills that review",
    "doctor": "say whether gates that execute code can run here, and what is installed",
    "demo": "build a small repository with real defects and review it",
    "completion": "print what completes this command in bash, zsh or tcsh",
}


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
    if not argv:
        _parser("").print_help(sys.stderr)
        return EXIT_USAGE
    try:
        arguments, unknown = _parser(argv[0]).parse_known_args(argv)
    except SystemExit:  # --help and --version have been printed
        return 0
    if unknown:
        raise UsageError(f"unrecognized arguments: {' '.join(unknown)}", f"see {arguments.prog} --help")
    _end_by_signal()
    _distrust_here()
    code: int = arguments.run(arguments)
    return code


def _end_by_signal() -> None:
    """End as by Ctrl-C where CI cancels a job: no child and no temporary folder is left."""
    import signal

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)


def _distrust_here() -> None:
    """Take no program from the folder that we are in: it is what is reviewed."""
    from reviewbot.hosts.searchpath import keep_out

    try:
        here = os.getcwd()
    except FileNotFoundError:  # somebody has removed it, and all that was in it
        here = os.sep
    keep_out(here)


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


def whole_parser() -> Parser:
    """All commands with their options: a shell completes them. It imports every front door."""
    return _parser("", whole=True)


def _parser(asked: str, *, whole: bool = False) -> Parser:
    """All commands by name; only the one that was asked for with its options."""
    parser = Parser(prog="reviewbot", description=DESCRIPTION, epilog=EXIT_CODES)
    parser.add_argument("--version", action="version", version=f"reviewbot {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary)
        if whole or name == asked:
            _declare(name, command)
    return parser


def _declare(name: str, command: Parser) -> None:
    if name == "init":
        from reviewbot.cli.init import declare
    elif name == "completion":
        from reviewbot.cli.completion import declare
    elif name == "diff":
        from reviewbot.cli.diff import declare
    elif name == "audit":
        from reviewbot.cli.audit import declare
    elif name == "pr":
        from reviewbot.cli.pr import declare
    elif name == "action":
        from reviewbot.cli.action import declare
    elif name == "replay":
        from reviewbot.cli.replay import declare
    elif name == "serve":
        from reviewbot.cli.serve import declare
    elif name == "app":
        from reviewbot.cli.app import declare
    elif name == "redeliver":
        from reviewbot.cli.redeliver import declare
    elif name == "skills":
        from reviewbot.cli.skills import declare
    elif name == "doctor":
        from reviewbot.cli.doctor import declare
    else:
        from reviewbot.cli.demo import declare
    declare(command)
