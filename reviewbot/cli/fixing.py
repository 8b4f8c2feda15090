"""`reviewbot diff --fix`: the suggestions that were tried, applied, and the review of what they leave."""

from __future__ import annotations

from reviewbot.cli.reviewing import deliver
from reviewbot.core.errors import UsageError

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from reviewbot.core.options import DiffOptions
    from reviewbot.core.ports import Progress
    from reviewbot.wiring.fix import Applied, Attempt

ABOUT = """\
the suggestions of new findings are tried together: gates and detectors run on
the result, and what makes anything worse is taken back; report and exit code
are those of what is left
"""


def fix_options(command: argparse.ArgumentParser) -> None:
    """What is done about findings."""
    fixes = command.add_argument_group("fixes", ABOUT)
    fixes.add_argument(
        "--fix",
        action="store_true",
        help="apply the suggestions that were tried to the work tree, which must be clean",
    )
    fixes.add_argument(
        "--branch",
        metavar="NAME",
        help="with --fix: commit them to this new branch off the head; the work tree stays as it is",
    )
    fixes.add_argument("--yes", action="store_true", help="with --fix: do not ask on a terminal")


def check_fix(arguments: argparse.Namespace) -> None:
    """Raise UsageError for options that do not go together."""
    if not arguments.fix:
        for name in ("branch", "yes"):
            if getattr(arguments, name) not in (None, False):
                raise UsageError(f"--{name} has no meaning without --fix", "add it, or leave that out")
        return
    for name in ("patch", "staged", "worktree"):
        if getattr(arguments, name):
            why = f"--fix and --{name} do not go together: fixes are tried on a commit"
            raise UsageError(why, "commit the change, and review that")
    if arguments.branch == "":
        raise UsageError("BRANCH is empty", "an unset variable? name it, or leave it out")


def fix(arguments: argparse.Namespace, options: Callable[[Progress], DiffOptions]) -> int:
    """Try, show, ask, write, report. The exit code is that of the review of what is left."""
    from contextlib import ExitStack

    from reviewbot.core.verdict import exit_code
    from reviewbot.hosts import terminal
    from reviewbot.wiring.fix import attempt

    with ExitStack() as holding:
        with terminal.progress(quiet=arguments.quiet) as progress:
            made = holding.enter_context(attempt(options(progress), arguments.branch))
        _show(made, arguments)
        applied = _settle(made, arguments)
    _tell(made, applied, arguments)
    deliver(applied.review, arguments.format, arguments.output, arguments.quiet)
    return exit_code(applied.review, arguments.fail_on)


def _show(made: Attempt, arguments: argparse.Namespace) -> None:
    """On stdout, unless a report that a program reads goes there."""
    import os

    from reviewbot.core.report import patch
    from reviewbot.hosts import output, terminal

    if not made.diff:
        return
    if arguments.format == "text" or (arguments.output or "-") != "-":
        output.show(patch.render(made.diff, terminal.page(os.getcwd()).colour) + "\n")
    elif not arguments.quiet:
        terminal.show_aside(patch.render(made.diff))


def _settle(made: Attempt, arguments: argparse.Namespace) -> Applied:
    from reviewbot.hosts import terminal
    from reviewbot.wiring.fix import Applied, apply, on_branch

    if not made.new:
        return Applied(made.review)
    if arguments.branch:
        return on_branch(made, arguments.branch)
    if not arguments.yes and terminal.somebody() and not terminal.ask(f"Apply {_fixes(len(made.done))}?"):
        return Applied(made.first, refused=True)
    return apply(made)


def _tell(made: Attempt, applied: Applied, arguments: argparse.Namespace) -> None:
    """What was done and what was not, a line each, on stderr."""
    from reviewbot.core.visible import name
    from reviewbot.hosts.output import say

    if arguments.quiet:
        return
    for kept in (*made.kept, *applied.kept):
        say(f"kept {name(kept.what)}: {kept.why}")
    left = {kept.what for kept in applied.kept}
    done = [fix for fix in made.done if fix.path not in left]
    if applied.refused:
        say("nothing was changed")
    elif not done:
        none = "; no branch was made" if arguments.branch else ""
        left_over = made.kept or applied.kept
        why = (
            "nothing was fixed" if left_over else "nothing to fix: no new finding has a suggestion that holds"
        )
        say(f"{why}{none}")
    elif arguments.branch:
        onto = made.onto or f"commit {made.head[:12]}"
        say(f"branch {arguments.branch}: {_fixes(len(done))}, stacked on {onto}, which merges first")
    else:
        say(f"{_fixes(len(done))} applied to {_count(len({fix.path for fix in done}), 'file')}")


def _fixes(number: int) -> str:
    return _count(number, "fix", "fixes")


def _count(number: int, noun: str, plural: str = "") -> str:
    from reviewbot.core.report.words import count

    return count(number, noun, plural)
