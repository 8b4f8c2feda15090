"""`reviewbot audit`: the review of a whole tree, against what is known of it."""

from __future__ import annotations

from reviewbot.cli.parser import EXIT_CODES
from reviewbot.cli.reviewing import deliver, options_of, report_options, review_options
from reviewbot.core.errors import UsageError

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse

    from reviewbot.core.ports import Progress
    from reviewbot.wiring.audit import AuditOptions

DESCRIPTION = """\
Review all tracked files as if each line were new. What the baseline names is
counted and not reported, so that old debts do not drown new ones.
"""
EXAMPLES = """\
examples:
  reviewbot audit                         the commit that is checked out
  reviewbot audit runners tools/run.sh    these folders and files of it
  reviewbot audit --write-baseline        call what is found now known
  reviewbot audit --worktree              the files as they are on the disk
  reviewbot audit --model --max-cost 5    ask a model too: a whole tree is dear

The baseline is .reviewbot/baseline.json unless another is named: commit it.
Its entries hold when lines move. `reviewbot diff` needs none: it tells new from
old by itself.

"""


def declare(command: argparse.ArgumentParser) -> None:
    command.description = DESCRIPTION
    command.epilog = EXAMPLES + EXIT_CODES
    command.set_defaults(run=_audit)
    tree = command.add_argument_group("the tree")
    tree.add_argument("paths", metavar="PATH", nargs="*", help="only what is there, or below (default: all)")
    tree.add_argument(
        "--worktree", action="store_true", help="the files on the disk, those not yet tracked too"
    )
    known = command.add_argument_group("what is known")
    known.add_argument("--baseline", metavar="FILE", help="default: .reviewbot/baseline.json, if it is there")
    known.add_argument(
        "--write-baseline",
        metavar="FILE",
        nargs="?",
        const="",
        help="write what is found there (default: where the baseline is), and count it as known",
    )
    review_options(command).add_argument(
        "--model",
        action="store_true",
        help="ask a model too; without this none is asked, even where there is a key",
    )
    report_options(command)


def _audit(arguments: argparse.Namespace) -> int:
    from reviewbot.core.baseline import entry_text
    from reviewbot.core.report.words import count
    from reviewbot.core.verdict import exit_code
    from reviewbot.hosts import output, terminal
    from reviewbot.wiring.audit import run_audit

    _check(arguments)
    if arguments.output:
        output.check_place(arguments.output)
    with terminal.progress(quiet=arguments.quiet) as progress:
        audited = run_audit(_options(arguments, progress))
    if not arguments.quiet:
        for entry in audited.stale:
            output.say(f"stale in the baseline: {entry_text(entry)}")
        if audited.written:
            entries = count(audited.entries, "entry", "entries")
            output.say(f"the baseline {audited.written} has {entries}; commit it")
    deliver(audited.review, arguments.format, arguments.output, arguments.quiet)
    return exit_code(audited.review, arguments.fail_on)


def _check(arguments: argparse.Namespace) -> None:
    for name in ("baseline", "output"):
        if getattr(arguments, name) == "":
            raise UsageError(f"{name.upper()} is empty", "an unset variable? name it, or leave it out")
    if arguments.model and arguments.no_model:
        raise UsageError("--model and --no-model do not go together", "drop one of them")
    for name in ("max_cost", "thorough"):
        if getattr(arguments, name) not in (None, False) and not arguments.model:
            flag = name.replace("_", "-")
            raise UsageError(f"--{flag} has no meaning without --model: an audit asks none", "add --model")


def _options(arguments: argparse.Namespace, progress: Progress) -> AuditOptions:
    from reviewbot.wiring.audit import AuditOptions

    return AuditOptions(
        options_of(arguments, progress)._replace(model=arguments.model),
        tuple(arguments.paths),
        arguments.worktree,
        arguments.baseline,
        arguments.write_baseline,
    )
