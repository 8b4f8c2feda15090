"""Where ` || exit 1` goes, and whether `exit` is the right word there."""

from __future__ import annotations

import re

from reviewbot.core.types import Edit
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node, Role, Status

_HEREDOC_LINE_END = re.compile(r"<<-?\s*(?:'[^']+'|\"[^\"]+\"|\\?[\w.-]+)[^#;&|<]*$")
_REST_OF_LINE = re.compile(r"\s*(?:$|;|\}|\))|\s+#")


def way_out(file: ShellFile, command: Node, place: Node) -> str:
    """`exit 1` or `return 1`, whichever keeps a failing `command` from `place`; "" where neither does.

    `place` is where the script meets what must not run: a later command, or the call that leads to it.
    """
    function = file.options.function_of(command)
    shell = file.options.shell_of(whole_command(command))
    if shell is not None:
        held = shell.start <= place.start < shell.end
        return "exit 1" if held or shell.status is Status.READ else ""
    if function is None:
        return "exit 1"
    calls = file.options.calls.get(function.name, ())
    if any(call.status is Status.MASKED for call in calls):
        return ""
    stopped = all(call.status is Status.READ or file.options.errexit_at(call) is Setting.ON for call in calls)
    return "return 1" if stopped else "exit 1"


def guard(file: ShellFile, command: Node, leave: str) -> Edit | None:
    """The edit that puts ` || {leave}` behind `command`; None where that would guard something else."""
    whole = whole_command(command)
    if whole.background or not _stands_alone(whole):
        return None
    heredocs = [n for n in whole.inside() if n.kind == "heredoc_redirect"] if whole is not command else []
    if heredocs:
        # The text of the heredoc begins on the next line: the guard belongs to the line of `<<EOF`.
        at = heredocs[0].line
        line = file.text.lines[at - 1]
        if heredocs[-1].line != at or not _HEREDOC_LINE_END.search(line):
            return None
        return Edit(at, at, f"{line.rstrip()} || {leave}")
    content = file.text.content
    end = whole.start + len(content[whole.start : whole.end].rstrip())
    column = end - (content.rfind("\n", 0, end) + 1)
    at = whole.line + content.count("\n", whole.start, end)
    line = file.text.lines[at - 1]
    if not _REST_OF_LINE.match(line[column:]):
        return None
    return Edit(at, at, f"{line[:column]} || {leave}{line[column:]}")


def whole_command(command: Node) -> Node:
    """The command with its redirections, and the pipeline that it ends."""
    node = command
    while node.parent is not None and (
        node.parent.kind == "redirected_statement" or node.role is Role.LAST_STAGE
    ):
        node = node.parent
    return node


def _stands_alone(whole: Node) -> bool:
    """A statement of its own, or the last resort of an `a || b`: there the guard reads the right status."""
    if whole.role is Role.BODY:
        return True
    parent = whole.parent
    return (
        whole.role is Role.RIGHT
        and parent is not None
        and parent.kind == "list"
        and parent.operator == "||"
        and parent.role is Role.BODY
    )
