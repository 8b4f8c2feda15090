"""`reviewbot completion`: what a shell needs to complete our commands and options."""

from __future__ import annotations

from reviewbot.core.errors import EXIT_CLEAN

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

SHELLS = ("bash", "zsh", "tcsh")
EXAMPLES = """\
the line for your rc file:
  ~/.bashrc    source <(reviewbot completion bash)
  ~/.zshrc     eval "$(reviewbot completion zsh)"          # behind compinit
  ~/.tcshrc    reviewbot completion tcsh | source /dev/stdin

or, anew for each version, into a file that bash loads when it is needed:
  cd ~/.local/share/bash-completion/completions
  reviewbot completion bash > reviewbot
"""
FILES = ("FILE", "PATH", "EVENT.json")  # in a metavar: a file or a folder may stand there
FOLDERS = ("DIR", "FOLDER")


def declare(command: argparse.ArgumentParser) -> None:
    command.description = "Print the completion of `reviewbot` for a shell."
    command.epilog = EXAMPLES
    command.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or tcsh")
    command.set_defaults(run=_completion)


def _completion(arguments: argparse.Namespace) -> int:
    import shtab

    from reviewbot.cli import whole_parser
    from reviewbot.hosts import output

    parser = whole_parser()
    for action in _actions(parser):
        said = action.metavar if isinstance(action.metavar, str) else ""
        if any(word in said for word in FOLDERS):
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif any(word in said for word in FILES):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    output.show(shtab.complete(parser, arguments.shell).rstrip("\n") + "\n")
    return EXIT_CLEAN


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Those of a parser and of all commands below it."""
    for action in parser._actions:  # argparse has no other way to ask
        yield action
        if isinstance(action.choices, dict):
            for below in action.choices.values():
                yield from _actions(below)
