"""The commands, as people are told of them."""

from __future__ import annotations

from reviewbot.core.report.markup import code
from reviewbot.core.types import Who

_COMMANDS = (
    ("review", "reviews this pull request, the head as of your comment"),
    ("review full", "the same, even if nothing has changed since the last review"),
    ("review src/ run*.sh", "reviews these files only; a name without `/`, `.` or `*` goes in backticks"),
    ("explain <finding>", "shows all that is known of a finding"),
    ("dismiss <finding> <reason>", "never shows it again on this pull request"),
    ("pause", "stops reviews of new commits"),
    ("resume", "takes them up again"),
    ("config", "shows the configuration and the skills in effect"),
    ("help", "shows this"),
)
_RULES = (
    "A command is the start of a line; the first one of a comment counts. A finding is named by the first "
    "six or more of its characters or by `path:line`; in its own thread no name is needed. Commands are for "
    "those who may write to this repository. Ten of them are answered within an hour; `pause` and `resume` "
    "are always."
)
ACTIONS = "github-actions"  # the App whose token every job on GitHub Actions has
NAME = "reviewbot"


def called(me: Who) -> str:
    """What commands are addressed to: the App; where that is everybody's, or a person, our own name."""
    return me.login if me.bot and me.login != ACTIONS else NAME


def help_text(name: str) -> str:
    """The commands, each in a code span: this is no mention of ourselves."""
    rows = (f"- {code(f'@{name} {command}')}: {does}" for command, does in _COMMANDS)
    return "\n".join([*rows, "", _RULES])


def pointer(name: str) -> str:
    """A sentence that leads to them."""
    return f"{code(f'@{name} help')} lists the commands; they start a line of a comment."
