"""Where ` || exit 1` goes."""

from __future__ import annotations

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Edit
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node, Role

_HEREDOC_LINE_END = pattern(r"<<-?\s*(?:'[^']+'|\"[^\"]+\"|\\?[\w.-]+)[^#;&|<]*$")
_REST_OF_LINE = pattern(r"\s*(?:$|;|\}|\))|\s+#")


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
