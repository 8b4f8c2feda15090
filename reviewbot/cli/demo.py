"""`reviewbot demo`: a small repository with defects, and its review."""

from __future__ import annotations

from reviewbot.cli.parser import FORMAT_HELP, FORMATS

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse

EXAMPLES = """\
examples:
  reviewbot demo                          build, review, print, remove
  reviewbot demo --keep                   leave the repository to try things on
"""


def declare(command: argparse.ArgumentParser) -> None:
    command.description = "Build a throw-away repository with a change in it, and review that."
    command.epilog = EXAMPLES
    command.set_defaults(run=_demo)
    command.add_argument("--keep", action="store_true", help="leave the repository and say where it is")
    command.add_argument("--format", metavar="NAME", choices=FORMATS, default="text", help=FORMAT_HELP)


def _demo(arguments: argparse.Namespace) -> int:
    from reviewbot.core.options import DiffOptions
    from reviewbot.core.report import FORMATS
    from reviewbot.hosts import demo, output, terminal
    from reviewbot.wiring.diff import run_diff

    with demo.repository(keep=arguments.keep) as folder:
        with terminal.progress() as progress:
            review = run_diff(DiffOptions(cwd=folder, base=demo.BASE, progress=progress))
        output.show(FORMATS[arguments.format](review, terminal.page(folder)))
    command = output.own_command()
    if arguments.keep:
        output.say(f"the demonstration is in {folder}; try: cd {folder} && {command} diff {demo.BASE}")
    output.say(f"try it on your own repository: {command} diff origin/main")
    return 0
