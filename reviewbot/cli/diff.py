"""`reviewbot diff`: the review of a change."""

from __future__ import annotations

from reviewbot.cli.fixing import check_fix, fix, fix_options
from reviewbot.cli.parser import EXIT_CODES
from reviewbot.cli.reviewing import deliver, options_of, report_options, review_options
from reviewbot.core.errors import UsageError

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse

    from reviewbot.core.options import DiffOptions
    from reviewbot.core.ports import Progress
    from reviewbot.core.types import Change

BASE_HELP = """\
compare with this revision (default: the usual target branch; for --staged and
--worktree HEAD)
"""
EXAMPLES = """\
examples:
  reviewbot diff origin/main              what this branch adds to origin/main
  reviewbot diff main --head feature      the same of another branch
  reviewbot diff --staged                 what `git commit` would take
  reviewbot diff --worktree               the work tree as it is
  git diff | reviewbot diff --patch -     a patch, its hunks only
  reviewbot diff --fix                    apply what is suggested and was tried
  reviewbot diff main --max-cost 0.25     ask a model for so much at most
  reviewbot diff main --skill review.md --format json --output review.json

"""


def declare(command: argparse.ArgumentParser) -> None:
    command.description = "Review what the head adds to its merge base with BASE (three-dot)."
    command.epilog = EXAMPLES + EXIT_CODES
    command.set_defaults(run=_diff)
    change = command.add_argument_group("the change")
    change.add_argument("base", metavar="BASE", nargs="?", help=BASE_HELP)
    kind = change.add_mutually_exclusive_group()
    kind.add_argument("--head", metavar="REF", help="review this revision (default: HEAD)")
    kind.add_argument("--staged", action="store_true", help="review the index")
    kind.add_argument("--worktree", action="store_true", help="review the work tree")
    kind.add_argument("--patch", metavar="FILE", help="review the text of `git diff`; - reads stdin")
    review_options(command).add_argument(
        "--unsafe-run-gates",
        action="store_true",
        help="run the gates that execute code without a sandbox: your own code only",
    )
    fix_options(command)
    report_options(command)


def _diff(arguments: argparse.Namespace) -> int:
    from reviewbot.core.verdict import exit_code
    from reviewbot.hosts import output, terminal
    from reviewbot.wiring.diff import run_diff

    check_fix(arguments)
    for name in ("base", "head", "patch", "output"):
        if getattr(arguments, name) == "":
            raise UsageError(f"{name.upper()} is empty", "an unset variable? name it, or leave it out")
    if arguments.patch and arguments.base:
        raise UsageError("BASE has no meaning with --patch: a patch brings its own", "drop one of them")
    if arguments.output:
        output.check_place(arguments.output)
    if arguments.fix:
        return fix(arguments, lambda progress: _options(arguments, progress))
    with terminal.progress(quiet=arguments.quiet) as progress:
        review = run_diff(_options(arguments, progress))
    deliver(review, arguments.format, arguments.output, arguments.quiet)
    if not arguments.quiet and terminal.somebody() and (hint := _instead(review.change)):
        output.say(hint)
    return exit_code(review, arguments.fail_on)


def _instead(change: Change) -> str:
    """What somebody may have meant by commits between which nothing changes; "" for any other change."""
    if change.files or not change.head:
        return ""
    last = ", what the last commit changed: HEAD~1" if change.base == change.head else ""
    return f"to review uncommitted changes: --worktree{last}"


def _options(arguments: argparse.Namespace, progress: Progress) -> DiffOptions:
    from reviewbot.hosts import output

    return options_of(arguments, progress)._replace(
        base=arguments.base,
        head=arguments.head or "HEAD",
        mode="staged" if arguments.staged else "worktree" if arguments.worktree else "commits",
        patch=output.read_input(arguments.patch, "the patch") if arguments.patch else None,
        patch_name=arguments.patch or "",
        unsafe_gates=arguments.unsafe_run_gates,
    )
